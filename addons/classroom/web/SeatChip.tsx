import IconHandStop from '@tabler/icons-react/icons/IconHandStop'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import { memo } from 'react'
import type { Seat } from '../contract/classroom.ts'
import { ACTIVITY_MINUTES, HAND_REASONS } from '../contract/classroom-words.ts'
import { learnerOf, learnerText } from '@trainyard/machines/web/machine-list.ts'
import { hoursLeft } from '@trainyard/platform/web/ui/hours.ts'
import { signals } from '@trainyard/machines/web/StatusBadge.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { learnerProgress } from '@trainyard/trainings/web/slots.ts'
import styles from './SeatChip.module.css'
import { needOf, placeText, shortName } from './seats.ts'

interface SeatChipProps {
  training: TrainingQuery
  seat: Seat
  now: number
  hiddenAs: string | null
  /** Place of a raised hand in the queue, from 1. */
  queued: number | undefined
  place: number
  count: number
  open: (machine: string) => void
}

const MINUTES = Array.from({ length: ACTIVITY_MINUTES }, (_, index) => ACTIVITY_MINUTES - 1 - index)

/** Reasons that fit into a seat. */
const SHORT_REASONS = { ...HAND_REASONS, slow: 'Slow' } as const

/** Path of ten bars, the oldest minute first: high for a minute with activity. */
const barsOf = (activeMinutes: readonly number[]): string =>
  MINUTES.map((minute, index) => `M${index * 4} 10v-${activeMinutes.includes(minute) ? 10 : 2}h3V10`).join('')

const chipName = (machine: Seat['machine']): string =>
  machine.learnerName === null ? shortName(machine.email) : learnerOf(machine)

/** Shows a learner of a class in two lines, so that 60 fit on a screen. A click opens the large tile. */
export const SeatChip = memo(function SeatChip({
  training,
  seat,
  now,
  hiddenAs,
  queued,
  place,
  count,
  open,
}: SeatChipProps) {
  const { machine, handRaisedAt, handReason, activeMinutes, stopsAt } = seat
  const learnerName = hiddenAs ?? learnerText(machine)
  const remainingHours = machine.quota.total === null ? '' : hoursLeft(machine.quota)
  const activity = `active in ${activeMinutes.length} of the last ${ACTIVITY_MINUTES} minutes`
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a row is between the item and the list
    <div role="listitem" aria-posinset={place} aria-setsize={count} className={styles.item}>
      <button
        type="button"
        className={styles.chip}
        data-need={needOf(seat, now)}
        title={learnerName}
        onClick={() => open(machine._id)}
      >
        <span className={styles.who} data-signal={signals[machine.status]}>
          <span>{hiddenAs ?? chipName(machine)}</span>
          <span className="visually-hidden">
            : {machine.status}, {activity},{' '}
          </span>
        </span>
        {machine.status === 'Failing' && handRaisedAt === null ? (
          <span className={styles.hand}>
            <IconAlertTriangle size={14} aria-hidden />
            Failing
          </span>
        ) : handRaisedAt === null ? (
          <span className={styles.facts}>
            <svg
              className={styles.line}
              viewBox={`0 0 ${ACTIVITY_MINUTES * 4} 10`}
              aria-hidden="true"
              focusable="false"
            >
              <path d={barsOf(activeMinutes)} />
            </svg>
            <span className={styles.progress}>
              <Fills of={learnerProgress} props={{ training, vmName: machine.name, isBrief: true }} />
            </span>
            <span className={styles.hours}>{stopsAt === null ? remainingHours || machine.status : 'Stops soon'}</span>
          </span>
        ) : (
          <span className={styles.hand}>
            <IconHandStop size={14} aria-hidden />
            <span className="visually-hidden">Hand raised, </span>
            {placeText(queued ?? 1)}
            {handReason !== null && ` · ${SHORT_REASONS[handReason]}`}
          </span>
        )}
      </button>
    </div>
  )
})
