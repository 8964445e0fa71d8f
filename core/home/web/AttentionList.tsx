import type { ReactNode } from 'react'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import styles from './Attention.module.css'
import homeStyles from './Home.module.css'
import { homeWork } from './slots.ts'

export interface ProblemKind {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly none: string
  /** Number that the rows represent, if it is not one each. */
  readonly shown?: number
  readonly rows: readonly ReactNode[]
}

export function AttentionList({ kinds }: { kinds: readonly ProblemKind[] }) {
  const calm = kinds.filter(({ count }) => count === 0)
  return (
    <>
      {calm.length === kinds.length && <p className={homeStyles.name}>Nothing needs your attention.</p>}
      <div className={styles.attention}>
        {kinds
          .filter(({ count }) => count > 0)
          .map((kind) => (
            <Panel key={kind.id} {...kind} />
          ))}
        <Fills of={homeWork} props={{}} />
      </div>
      {calm.length > 0 && (
        <ul className={styles.calm} aria-label="Checks without problems">
          {calm.map(({ id, none }) => (
            <li key={id} id={id}>
              {none}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export const Panel = ({ id, title, count, rows, shown = rows.length }: Omit<ProblemKind, 'none'>) => (
  <section id={id} className={`panel ${styles.kind}`} aria-labelledby={`${id}-heading`}>
    <h2 id={`${id}-heading`}>
      {title}
      <span className={styles.many}>{count}</span>
    </h2>
    <ul className={homeStyles.rows}>{rows}</ul>
    {count > shown && <p className="dim">and {count - shown} more</p>}
  </section>
)
