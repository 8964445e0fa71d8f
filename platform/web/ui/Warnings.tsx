import { useId, type ReactNode } from 'react'
import styles from './Warnings.module.css'

interface WarningsProps {
  title: string
  deleted: readonly ReactNode[]
  kept: readonly ReactNode[]
  children: ReactNode
}

export function Warnings({ title, deleted, kept, children }: WarningsProps) {
  const id = useId()
  return (
    <section className={`panel ${styles.panel}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.lists}>
        <List over="What is deleted" deleted lines={deleted} />
        <List over="What is kept" lines={kept} />
      </div>
      <div className={styles.foot}>{children}</div>
    </section>
  )
}

function List({ over, deleted = false, lines }: { over: string; deleted?: boolean; lines: readonly ReactNode[] }) {
  const id = useId()
  return (
    <div>
      <h3 id={id} className="over">
        {over}
      </h3>
      <ul className={styles.list} data-deleted={deleted || undefined} aria-labelledby={id}>
        {lines.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences in a fixed order
          <li key={place}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
