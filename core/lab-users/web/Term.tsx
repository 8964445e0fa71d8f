import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import styles from './Term.module.css'

const DAY_MS = 24 * 60 * 60 * 1_000

interface TermProps {
  start: string
  end: string
  now: Date
}

export function Term({ start, end, now }: TermProps) {
  const from = Date.parse(start)
  const to = Date.parse(end)
  const elapsed = Math.min(1, Math.max(0, (now.getTime() - from) / (to - from)))
  return (
    <div className={styles.term}>
      <div className={styles.track} aria-hidden="true">
        <span className={styles.elapsed} style={{ width: `${elapsed * 100}%` }} />
      </div>
      <dl className={styles.ends}>
        <div>
          <dt>Start</dt>
          <dd>
            <Instant at={start} />
          </dd>
        </div>
        <div className={styles.last}>
          <dt>End</dt>
          <dd>
            <Instant at={end} />
          </dd>
        </div>
      </dl>
      {/* The time `now` can be a minute old, so the start date is used if the term began after it. */}
      <p className={styles.left}>{timeLeft(to - Math.max(from, now.getTime()))}</p>
    </div>
  )
}

function timeLeft(ms: number): string {
  if (ms <= 0) return 'Ended'
  const days = Math.ceil(ms / DAY_MS)
  if (days > 2) return `${days} days left`
  const hours = Math.ceil(ms / (60 * 60 * 1_000))
  return hours === 1 ? 'Less than an hour left' : `${hours} hours left`
}
