import styles from './Ports.module.css'

interface SyncStatusProps {
  ports: readonly number[]
  /** True while the last change is not applied at the provider yet. */
  pending: boolean
  lastError: string | null
}

export function SyncStatus({ ports, pending, lastError }: SyncStatusProps) {
  if (lastError === null && !pending && ports.length === 0) return null
  return (
    <p className={styles.state} data-state={lastError === null ? (pending ? 'pending' : 'held') : 'failing'}>
      <span className={styles.lamp} aria-hidden="true" />
      <output>
        {lastError !== null
          ? `The provider has not accepted the last change yet. It is retried automatically: ${lastError}`
          : pending
            ? 'The change is being applied at the provider. This takes a few seconds.'
            : 'Applied on every machine of the training.'}
      </output>
    </p>
  )
}
