import styles from './Trace.module.css'

/** The number by which whoever runs the portal finds what went wrong. */
export const Trace = ({ id }: { id: string }) => (
  <p className={styles.trace}>
    Trace <code>{id}</code>
  </p>
)
