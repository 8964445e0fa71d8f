import IconHourglass from '@tabler/icons-react/icons/IconHourglass'
import styles from './Marks.module.css'

/** The mark of a learner who makes no progress. */
export const Stuck = ({ children }: { children: string }) => (
  <span className={styles.stuck}>
    <IconHourglass size={14} aria-hidden />
    {children}
  </span>
)
