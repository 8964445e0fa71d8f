import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { REFUSED_MS, refused } from '@trainyard/platform/web/api/refusals.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { saveBlob } from '@trainyard/platform/web/ui/save-blob.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import styles from './AccessClosed.module.css'
import { formatCountdown, momentIn, type Daily } from './daily-window.ts'
import { DayRuler } from './DayRuler.tsx'
import { useAccessWindow } from './useAccessWindow.ts'

interface AccessClosedProps {
  training: TrainingQuery
  sentence: string
  retry: () => void
}

/** Shows when the access window opens, and refetches the screen's data then. Until then no refused call is repeated. */
export function AccessClosed({ training, sentence, retry }: AccessClosedProps) {
  const { data, refetch } = useAccessWindow(training)
  const heading = useId()
  const now = useSeconds(true)
  const at = data?.opening ? new Date(data.opening.at) : null
  const isClosed = at !== null
  const isDue = at !== null && at <= now
  const isOpen = data?.opening === null
  const wasClosed = useRef(false)
  const poll = useEffectEvent(() => {
    refused.forget()
    if (isOpen) retry()
    else void refetch()
  })
  useEffect(() => {
    wasClosed.current ||= isClosed
    if (!isDue && !isOpen) return undefined
    // A retry replaces this component while it waits for the reply: a refusal must not cause the next retry at once.
    if (wasClosed.current) poll()
    const timer = setInterval(poll, REFUSED_MS)
    return () => clearInterval(timer)
  }, [isDue, isOpen, isClosed])
  return (
    <section className={`panel ${styles.closed}`} aria-labelledby={heading}>
      <h2 id={heading}>{at === null ? 'Closed' : `Opens ${dayjs(at).tz(data!.timeZone).format('ddd HH:mm')}`}</h2>
      <p role="alert">{sentence}</p>
      {data && data.loginStart !== null && data.loginStop !== null && (
        <Opening
          daily={{ start: data.loginStart, stop: data.loginStop, days: data.loginDays }}
          timeZone={data.timeZone}
          at={at}
          now={now}
        />
      )}
      {data?.opening && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => saveBlob(`${training.trainingName}.ics`, calendarFile(data.opening!.calendar))}
          >
            Calendar file
          </Button>
        </div>
      )}
    </section>
  )
}

const calendarFile = (text: string) => new Blob([text], { type: 'text/calendar;charset=utf-8' })

interface OpeningProps {
  daily: Daily
  timeZone: string
  at: Date | null
  now: Date
}

const Opening = ({ daily, timeZone, at, now }: OpeningProps) => (
  <>
    <DayRuler window={daily} now={momentIn(now, timeZone)} />
    <p className="dim">
      {at === null || at <= now ? 'Opening now.' : `Opens in ${formatCountdown(at, now)}; this page opens then.`} Times
      are in the zone {timeZone}. Your files on the machines are kept.
    </p>
  </>
)
