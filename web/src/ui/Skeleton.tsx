import { Screen } from './Screen.tsx'
import styles from './Skeleton.module.css'

/** Grey lines where rows are on their way; says so once to a screen reader. */
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

/** A screen whose code or first reply is on its way: its heading stands already. */
export function ScreenSkeleton() {
  return (
    <Screen>
      <Skeleton rows={6} height="2rem" />
    </Screen>
  )
}
