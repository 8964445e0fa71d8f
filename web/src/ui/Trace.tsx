import styles from './Trace.module.css'

export const Trace = ({ id }: { id: string }) => (
  <p className={styles.trace}>
    Trace <code>{id}</code>
  </p>
)
