import type { ReactNode } from 'react'
import styles from './Attention.module.css'
import homeStyles from './Home.module.css'

interface AttentionListProps {
  /** The anchor for links; 'used-up'. */
  id: string
  title: string
  count: number
  /** The sentence where there is nothing. */
  none: string
  /** The first few rows. */
  children: readonly ReactNode[]
}

/** One kind of thing to look at: how many there are, and the first few. */
export function AttentionList({ id, title, count, none, children }: AttentionListProps) {
  return (
    <section
      id={id}
      className={`panel ${styles.kind}`}
      aria-labelledby={`${id}-heading`}
      data-warns={count > 0 || undefined}
    >
      <h2 id={`${id}-heading`}>
        {title}
        {count > 0 && <span className={styles.many}>{count}</span>}
      </h2>
      {count === 0 ? <p className="dim">{none}</p> : <ul className={homeStyles.rows}>{children}</ul>}
      {count > children.length && <p className="dim">and {count - children.length} more</p>}
    </section>
  )
}
