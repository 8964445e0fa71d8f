import { Instant } from '#src/ui/Instant.tsx'
import styles from './Term.module.css'

const DAY_MS = 24 * 60 * 60 * 1_000

interface TermProps {
  start: string
  end: string
  now: Date
}

/** From when to when, as a stretch of track with today on it; the words beside it say the same. */
export function Term({ start, end, now }: TermProps) {
  const from = Date.parse(start)
  const to = Date.parse(end)
  const gone = Math.min(1, Math.max(0, (now.getTime() - from) / (to - from)))
  return (
    <div className={styles.term}>
      <div className={styles.track} aria-hidden="true">
        <span className={styles.gone} style={{ width: `${gone * 100}%` }} />
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
      {/* `now` is up to a minute old: a term that began since then is whole. */}
      <p className={styles.left}>{leftUntil(to - Math.max(from, now.getTime()))}</p>
    </div>
  )
}

function leftUntil(ms: number): string {
  if (ms <= 0) return 'It is over.'
  const days = Math.ceil(ms / DAY_MS)
  if (days > 2) return `${days} days left`
  const hours = Math.ceil(ms / (60 * 60 * 1_000))
  return hours === 1 ? 'Less than an hour left' : `${hours} hours left`
}
