import { useId, type ReactNode } from 'react'
import styles from './Warnings.module.css'

interface WarningsProps {
  title: string
  /** The things that are lost, a sentence each. */
  goes: readonly ReactNode[]
  /** The things that remain, a sentence each. */
  stays: readonly ReactNode[]
  /** The button that does it. */
  children: ReactNode
}

/** The consequences of a deletion, told before it is asked for. */
export function Warnings({ title, goes, stays, children }: WarningsProps) {
  const id = useId()
  return (
    <section className={`panel ${styles.panel}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.lists}>
        <List over="What goes" goes lines={goes} />
        <List over="What stays" lines={stays} />
      </div>
      <div className={styles.foot}>{children}</div>
    </section>
  )
}

function List({ over, goes = false, lines }: { over: string; goes?: boolean; lines: readonly ReactNode[] }) {
  const id = useId()
  return (
    <div>
      <h3 id={id} className="over">
        {over}
      </h3>
      <ul className={styles.list} data-goes={goes || undefined} aria-labelledby={id}>
        {lines.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences in a fixed order
          <li key={place}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
