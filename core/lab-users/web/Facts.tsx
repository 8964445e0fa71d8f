import type { ReactNode } from 'react'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import styles from './Facts.module.css'

export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

interface CopiedFactProps {
  term: string
  value: string
  label: string
}

export const CopiedFact = ({ term, value, label }: CopiedFactProps) => (
  <div>
    <dt>{term}</dt>
    <dd className={styles.copied}>
      <span className="mono">{value}</span>
      <CopyButton text={value} label={label} />
    </dd>
  </div>
)
