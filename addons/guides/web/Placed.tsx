import styles from './Library.module.css'

/** Stands for a task or a question in a preview. */
export const Placed = (tag: 'task' | 'question', id: string) => (
  <p className={styles.place}>
    {tag === 'task' ? 'Task' : 'Question'} <span className="mono">{id}</span>
  </p>
)
