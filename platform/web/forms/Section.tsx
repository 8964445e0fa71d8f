import { useId, type ReactNode } from 'react'
import styles from './Section.module.css'

interface SectionProps {
  title: string
  text?: ReactNode
  children: ReactNode
}

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
