import { useMemo } from 'react'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { HourAxis } from '@trainyard/trainings/web/HourAxis.tsx'
import styles from './DayStrip.module.css'
import { stripOf, type StripRun } from './strip.ts'

const DAYS = 14

interface DayStripProps {
  runs: readonly StripRun[]
  /** Current time (RFC 3339). A run in progress is drawn until this time. */
  now: string
}

export function DayStrip({ runs, now }: DayStripProps) {
  const { timeZone } = useMe()
  const days = useMemo(() => stripOf(runs, now, timeZone, DAYS), [runs, now, timeZone])
  if (runs.length === 0) return null
  if (days.every(({ blocks }) => blocks.length === 0)) return <p className="dim">No runs in the last {DAYS} days.</p>
  return (
    <figure
      className={`panel ${styles.strip} no-print`}
      aria-label="Runs of the last 14 days; the table below has the figures"
    >
      <div className={styles.days} aria-hidden="true">
        {days.map(({ label, blocks }) => (
          <div key={label} className={styles.day}>
            <span className={styles.label}>{label}</span>
            <span className={styles.line}>
              {blocks.map(({ from, to, running }) => (
                <span
                  key={`${from} ${to} ${running}`}
                  className={styles.block}
                  data-running={running || undefined}
                  style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                />
              ))}
            </span>
          </div>
        ))}
        <div className={styles.day}>
          <span />
          <HourAxis />
        </div>
      </div>
    </figure>
  )
}
