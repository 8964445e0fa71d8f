import { memo, useId } from 'react'
import type { Seat } from '../contract/classroom.ts'
import { refOf } from '@trainyard/machines/contract/machine-ref.ts'
import { can } from '@trainyard/machines/contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import { WATCHING } from '@trainyard/remote-access/contract/watching.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { hoursLeft } from '@trainyard/platform/web/ui/hours.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { StatusBadge } from '@trainyard/machines/web/StatusBadge.tsx'
import { learnerOf, learnerText } from '@trainyard/machines/web/machine-list.ts'
import { MachineMenu } from '@trainyard/machines/web/MachineMenu.tsx'
import { openInTab } from '@trainyard/machines/web/open-in-browser.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { learnerProgress } from '@trainyard/trainings/web/slots.ts'
import styles from './Class.module.css'
import { minutesSince, needOf, formatDuration, placeText } from './seats.ts'
import { HAND_REASONS } from '../contract/classroom-words.ts'
import { UNDO_HEADER } from '@trainyard/platform/contract/words/limits.ts'
import { undoOf } from '@trainyard/machines/web/commands.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { useClassAction } from './useClassAction.ts'

interface SeatTileProps {
  training: TrainingQuery
  seat: Seat
  now: number
  /** Replacement for the learner's name; null while names are shown. */
  hiddenAs: string | null
  /** Place of a raised hand in the queue, from 1. */
  queued: number | undefined
  /** Position from 1, for screen readers, since only visible rows are rendered. */
  place: number
  count: number
}

export const SeatTile = memo(function SeatTile({ training, seat, now, hiddenAs, queued, place, count }: SeatTileProps) {
  const id = useId()
  const { machine } = seat
  const learnerName = hiddenAs ?? learnerOf(machine)
  return (
    <div
      className={styles.seat}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a row is between the item and the list
      role="listitem"
      aria-labelledby={id}
      aria-posinset={place}
      aria-setsize={count}
      data-need={needOf(seat, now)}
    >
      <div className={styles.head}>
        <h3 id={id} title={hiddenAs ?? learnerText(machine)}>
          {learnerName}
        </h3>
        {hiddenAs === null && <MachineMenu machine={machine} ofClass />}
      </div>
      <SeatFacts training={training} seat={seat} now={now} hiddenAs={hiddenAs} queued={queued} />
      <SeatButtons seat={seat} who={learnerName} hidden={hiddenAs !== null} />
    </div>
  )
})

type SeatFactsProps = Pick<SeatTileProps, 'training' | 'seat' | 'now' | 'hiddenAs' | 'queued'>

/** State, hand, reason and measurements of one seat: the content of a large tile and of its dialog. */
export function SeatFacts({ training, seat, now, hiddenAs, queued }: SeatFactsProps) {
  const { machine, handRaisedAt, stopsAt, cpu } = seat
  const learnerName = hiddenAs ?? learnerOf(machine)
  return (
    <>
      <p className={styles.state}>
        <StatusBadge status={machine.status} />
        {hiddenAs === null && <span className={`mono dim ${styles.machine}`}>{machine.name}</span>}
      </p>
      {handRaisedAt !== null && (
        <Hand training={training} seat={seat} who={learnerName} since={agoOf(handRaisedAt, now)} queued={queued} />
      )}
      {machine.statusReason !== null && hiddenAs === null && (
        <Reason text={machine.statusReason} calm={machine.status !== 'Failing'} />
      )}
      {stopsAt !== null && (
        <p className={styles.warned}>
          Idle: stops in {Math.max(1, Math.ceil((Date.parse(stopsAt) - now) / 60_000))} min
        </p>
      )}
      <Fills of={learnerProgress} props={{ training, vmName: machine.name, isBrief: false }} />
      <dl className={styles.facts}>
        <dt>Connected</dt>
        <dd>{connectionOf(seat, now)}</dd>
        <dt>Idle</dt>
        <dd>{idleOf(seat, now)}</dd>
        <dt>Processor</dt>
        <dd>{cpu === null || !machine.isRunning ? '–' : `${cpu.percent}%`}</dd>
        <dt>Hours left</dt>
        <dd>{hoursLeft(machine.quota)}</dd>
      </dl>
    </>
  )
}

function connectionOf({ connectedSince, disconnectedSince }: Seat, now: number): string {
  if (connectedSince !== null) {
    const minutes = minutesSince(connectedSince, now)!
    return minutes === 0 ? 'Just now' : `For ${formatDuration(minutes)}`
  }
  return disconnectedSince === null ? 'Not yet' : `Left ${agoOf(disconnectedSince, now)}`
}

function idleOf({ machine, idleSince }: Seat, now: number): string {
  if (!machine.isRunning) return '–'
  return idleSince === null ? 'Not measured' : formatDuration(minutesSince(idleSince, now)!)
}

const agoOf = (instant: string, now: number): string => {
  const minutes = minutesSince(instant, now)!
  return minutes === 0 ? 'just now' : `${formatDuration(minutes)} ago`
}

interface HandProps {
  training: TrainingQuery
  seat: Seat
  who: string
  since: string
  queued: number | undefined
}

function Hand({ training, seat: { machine, handReason }, who, since, queued = 1 }: HandProps) {
  const lower = useClassAction(() => api.classroom.lowerHand({ ...training, email: machine.email }))
  return (
    <div className={styles.hand}>
      <span>
        <strong>Hand raised {since}</strong>
        <br />
        {placeText(queued)} in the queue{handReason === null ? '' : `: ${HAND_REASONS[handReason].toLowerCase()}`}
      </span>
      <TileButton
        may={!lower.isPending || 'The hand is being lowered.'}
        name={`Lower hand of ${who}`}
        act={() => lower.mutate()}
      >
        Lower hand
      </TileButton>
    </div>
  )
}

export function SeatButtons({
  seat: { machine, connectedSince },
  who,
  hidden,
}: {
  seat: Seat
  who: string
  hidden: boolean
}) {
  const place = refOf(machine)
  const power = useClassAction(
    (operation: 0 | 1) =>
      api.machine.power([{ operation }, place], operation === 0 ? { headers: { [UNDO_HEADER]: '1' } } : {}),
    ({ message }, operation) => {
      if (operation === 0 && machine.isRunning) notify.status(message, undoOf([place]))
    },
  )
  const restart = useClassAction(() => api.machine.restart([place]))
  const stops = can.powerOff(machine) === true && !(machine.status === 'Failing' && machine.refused)
  const label = stops ? 'Power Off' : 'Power On'
  // Reasons contain the machine's name, which must stay hidden.
  const withoutName = (may: TrueOrReason): TrueOrReason => (may !== true && hidden ? 'Not possible now.' : may)
  return (
    <div className={`no-print ${styles.buttons}`}>
      <TileButton
        may={connectedSince !== null || (hidden ? 'Not connected.' : WATCHING.notConnected(learnerOf(machine)))}
        name={`Watch the screen of ${who}`}
        act={() => void openInTab(() => api.remote.watch({ vmName: machine.name }))}
      >
        Watch
      </TileButton>
      <TileButton
        may={stops ? true : withoutName(can.powerOn(machine))}
        name={`${label} the machine of ${who}`}
        act={() => power.mutate(stops ? 0 : 1)}
      >
        {label}
      </TileButton>
      <TileButton
        may={withoutName(can.restart(machine))}
        name={`Restart the machine of ${who}`}
        act={() => restart.mutate()}
      >
        Restart
      </TileButton>
    </div>
  )
}

interface TileButtonProps {
  may: TrueOrReason
  name: string
  act: () => void
  children: string
}

/**
 * Button with few elements, because a class has hundreds of them. A disabled one stays focusable and shows its reason.
 */
const TileButton = ({ may, name, act, children }: TileButtonProps) => (
  <button
    type="button"
    className={styles.button}
    aria-label={name}
    aria-disabled={may !== true || undefined}
    title={may === true ? undefined : may}
    onClick={() => {
      if (may === true) act()
    }}
  >
    {children}
  </button>
)
