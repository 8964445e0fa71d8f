import type { ReactNode } from 'react'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import styles from './Facts.module.css'

/** The facts of a lab user or a sandbox, a line each. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)

interface CopiedFactProps {
  term: string
  value: string
  /** Its button's label: 'Copy the first password'. */
  label: string
}

/** A fact to be typed elsewhere: its button copies it. */
export const CopiedFact = ({ term, value, label }: CopiedFactProps) => (
  <div>
    <dt>{term}</dt>
    <dd className={styles.copied}>
      <span className="mono">{value}</span>
      <CopyButton text={value} label={label} />
    </dd>
  </div>
)
