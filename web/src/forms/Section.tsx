import { useId, type ReactNode } from 'react'
import styles from './Section.module.css'

interface SectionProps {
  title: string
  /** A sentence below the heading. */
  text?: ReactNode
  children: ReactNode
}

/** A section of the settings: a sheet with its heading. */
export function Section({ title, text, children }: SectionProps) {
  const heading = useId()
  return (
    <section className={`panel ${styles.section}`} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {text && <p className="dim">{text}</p>}
      {children}
    </section>
  )
}
