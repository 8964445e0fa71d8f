import type { TaskState } from '../contract/guide-words.ts'
import styles from './Marks.module.css'

const MARKS: Readonly<Record<TaskState, string>> = {
  open: '',
  green: 'M6.8 10.2 9 12.4l4.2-4.6',
  solved: 'M6.8 10.2 9 12.4l4.2-4.6',
  red: 'M7.5 7.5l5 5M12.5 7.5l-5 5',
  broken: 'M10 6.2v4.6M10 13.6h.01',
  skipped: 'M7 10h6',
}

/** Icon of a state, beside its word. */
export const StateIcon = ({ state }: { state: TaskState }) => (
  <svg className={styles.mark} data-state={state} width={18} height={18} viewBox="0 0 20 20" aria-hidden="true">
    <path
      d={`M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z${MARKS[state]}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
