import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { Button } from '@mantine/core'
import { useEffect, useId } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { REFUSED_MS } from '@trainyard/platform/web/api/refusals.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { saveBlob } from '@trainyard/platform/web/ui/save-blob.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import styles from './AccessClosed.module.css'
import { formatCountdown, momentIn, type Daily } from './daily-window.ts'
import { DayRuler } from './DayRuler.tsx'
import { useAccessWindow } from './useAccessWindow.ts'

/** Shows when the access window opens. The screen is read then, because its access changes. */
export default function AccessClosed({ training }: { training: TrainingQuery }) {
  const { data, refetch } = useAccessWindow(training)
  const heading = useId()
  const now = useSeconds(true)
  const at = data?.opening ? new Date(data.opening.at) : null
  const isOutdated = at === null || at <= now
  useEffect(() => {
    if (!isOutdated) return undefined
    const poll = () => void refetch({ cancelRefetch: false })
    poll()
    const timer = setInterval(poll, REFUSED_MS)
    return () => clearInterval(timer)
  }, [isOutdated, refetch])
  return (
    <section className={`panel ${styles.closed}`} aria-labelledby={heading}>
      <h2 id={heading}>{at === null ? 'Closed' : `Opens ${dayjs(at).tz(data!.timeZone).format('ddd HH:mm')}`}</h2>
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
            leftSection={<IconDownload size={16} aria-hidden />}
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
    <p role="alert">{ALERTS.outsideWindow(daily.start, daily.stop, daily.days)}</p>
    <DayRuler window={daily} now={momentIn(now, timeZone)} />
    <p className="dim">
      {at === null || at <= now ? 'Opening now.' : `Opens in ${formatCountdown(at, now)}; this page opens then.`} Times
      are in the zone {timeZone}. Your files on the machines are kept.
    </p>
  </>
)
