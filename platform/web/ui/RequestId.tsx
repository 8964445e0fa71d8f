import styles from './RequestId.module.css'

export const RequestId = ({ id }: { id: string }) => (
  <p className={styles.requestId}>
    Request <code>{id}</code>
  </p>
)
