import { Screen } from './Screen.tsx'
import styles from './Skeleton.module.css'

/** Placeholder lines while rows load; announced once to screen readers. */
export function Skeleton({ rows = 4, height = '1.25rem' }: { rows?: number; height?: string }) {
  return (
    <output className={styles.lines}>
      <span className="visually-hidden">Loading...</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={styles.line} style={{ height }} />
      ))}
    </output>
  )
}

export function ScreenSkeleton() {
  return (
    <Screen>
      <Skeleton rows={6} height="2rem" />
    </Screen>
  )
}
