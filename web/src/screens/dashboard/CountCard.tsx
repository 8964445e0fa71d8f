import { ScreenLink } from '#src/ui/ScreenLink.tsx'
import type { Card } from './cards.ts'
import styles from './Dashboard.module.css'

const whole = new Intl.NumberFormat('en-IN')

/** One count: the figure, its name, and what exactly it counts. */
export function CountCard({ card, count }: { card: Card; count: number }) {
  const { name, counts, to, hash, warns } = card
  return (
    <li>
      <ScreenLink to={to} hash={hash} className={`panel ${styles.card}`}>
        <span className={styles.name}>{name}</span>
        <span className={styles.figure} data-warns={(warns && count > 0) || undefined}>
          {whole.format(count)}
        </span>
        <span className={styles.counts}>{counts}</span>
      </ScreenLink>
    </li>
  )
}
