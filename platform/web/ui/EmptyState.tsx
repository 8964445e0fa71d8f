import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <svg width="72" height="24" viewBox="0 0 72 24" aria-hidden="true" className={styles.track}>
        <path d="M0 9h72M0 15h72M6 5v14M18 5v14M30 5v14M42 5v14M54 5v14M66 5v14" />
      </svg>
      <p>{text}</p>
      {children}
    </div>
  )
}
