import { Screen } from './Screen.tsx'
import styles from './Skeleton.module.css'

/** Grey lines in place of loading rows; a screen reader hears it once. */
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

/** In place of a screen whose code or first reply is loading: its heading is there already. */
export function ScreenSkeleton() {
  return (
    <Screen>
      <Skeleton rows={6} height="2rem" />
    </Screen>
  )
}
