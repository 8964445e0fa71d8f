import type { ReactNode } from 'react'
import styles from './Attention.module.css'
import homeStyles from './Home.module.css'

/** One kind of thing that may need a superadmin. */
export interface Kind {
  /** The anchor for links; 'used-up'. */
  readonly id: string
  readonly title: string
  readonly count: number
  /** A few words where there is nothing. */
  readonly none: string
  /** The first few rows. */
  readonly rows: readonly ReactNode[]
}

/** The things to be done, kind by kind with their buttons, and below them the calm checks in one line. */
export function AttentionList({ kinds }: { kinds: readonly Kind[] }) {
  const calm = kinds.filter(({ count }) => count === 0)
  return (
    <>
      {calm.length === kinds.length && <p className={homeStyles.name}>Nothing needs you now.</p>}
      <div className={styles.attention}>
        {kinds
          .filter(({ count }) => count > 0)
          .map((kind) => (
            <Panel key={kind.id} {...kind} />
          ))}
      </div>
      {calm.length > 0 && (
        <ul className={styles.calm} aria-label="As it should be">
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

const Panel = ({ id, title, count, rows }: Kind) => (
  <section id={id} className={`panel ${styles.kind}`} aria-labelledby={`${id}-heading`}>
    <h2 id={`${id}-heading`}>
      {title}
      <span className={styles.many}>{count}</span>
    </h2>
    <ul className={homeStyles.rows}>{rows}</ul>
    {count > rows.length && <p className="dim">and {count - rows.length} more</p>}
  </section>
)
