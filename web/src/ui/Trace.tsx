import styles from './Trace.module.css'

/** Trace ID that the operator can search for in the logs. */
export const Trace = ({ id }: { id: string }) => (
  <p className={styles.trace}>
    Trace <code>{id}</code>
  </p>
)
