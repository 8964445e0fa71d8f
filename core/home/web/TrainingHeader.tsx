import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { usePageVisible } from '@trainyard/platform/web/api/usePageVisible.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { choiceOf, useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { timeOfDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import type { accessWindow } from '@trainyard/trainings/contract/training.ts'
import { isOpen, momentIn, nextChange } from '@trainyard/trainings/web/daily-window.ts'
import { useAccessWindow } from '@trainyard/trainings/web/useAccessWindow.ts'
import { nextInWords } from './board.ts'
import styles from './TrainingHeader.module.css'

const REFRESH_MS = 60_000
/** Changes of many machines come in bursts. */
const BURST_MS = 1_000
/** The tabs mark the current page. */
const NOT_CURRENT = { 'aria-current': undefined }

/** Line above the tabs of a training's screens: access, machines, next event and cost. */
export default function TrainingHeader({ training }: { training: TrainingQuery }) {
  const { organization } = useSelection()
  const access = useAccessWindow(training)
  const board = useQuery({
    ...query(api.home.trainings, organization === null ? null : { organization, training: training.trainingName }),
    refetchInterval: REFRESH_MS,
  })
  const row = board.data?.trainings[0]
  // A training that was removed has no stream.
  useRefetchOnChange(training, row !== undefined)
  return (
    <>
      {access.data && <Access window={access.data} />}
      {row && (
        <>
          <span>
            <strong>{countOf(row.running + row.stopped, 'machine')}</strong>, {row.running} running
            {row.failing > 0 && <span className={styles.failing}>, {row.failing} failing</span>}
          </span>
          {row.next && (
            <Link to="/vm/scheduler" search={choiceOf} className={styles.link} activeProps={NOT_CURRENT}>
              {nextInWords(row.next)}
            </Link>
          )}
          <Link to="/vm/billing" search={choiceOf} className={styles.link} activeProps={NOT_CURRENT}>
            <strong>
              <Rupees paise={row.amountPaise} />
            </strong>{' '}
            so far
          </Link>
        </>
      )}
    </>
  )
}

/** Refetches the figures when a machine of the training changes. */
function useRefetchOnChange(training: TrainingQuery, isKnown: boolean): void {
  const isVisible = usePageVisible()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const refetch = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void invalidate(api.home.trainings)
    }, BURST_MS)
  }
  useEventStream<Machine[]>({
    url: isVisible && isKnown ? streamUrl('machine', 'watch', training) : null,
    onEvent: refetch,
    poll: refetch,
  })
}

function Access({ window }: { window: ReplyOf<typeof accessWindow.read> }) {
  const now = useNow()
  const { text, open } = accessInWords(window, now)
  return (
    <Link
      to="/vm/restriction"
      search={choiceOf}
      className={styles.access}
      activeProps={NOT_CURRENT}
      data-open={open || undefined}
    >
      {text}
    </Link>
  )
}

/** Says whether learners may use their machines, and until when. */
function accessInWords(
  { loginStart, loginStop, loginDays, timeZone, extendedUntil }: ReplyOf<typeof accessWindow.read>,
  now: Date,
): { text: string; open: boolean } {
  if (loginStart === null || loginStop === null) return { text: 'Open at all times', open: true }
  if (extendedUntil !== null && new Date(extendedUntil) > now)
    return { text: `Open until ${timeOfDay(new Date(extendedUntil), timeZone)}`, open: true }
  const window = { start: loginStart, stop: loginStop, days: loginDays }
  const moment = momentIn(now, timeZone)
  const open = isOpen(window, moment)
  return { text: `${open ? 'Open until' : 'Closed until'} ${nextChange(window, moment)}`, open }
}
