import styles from './Ports.module.css'

interface HeldProps {
  ports: readonly number[]
  /** Whether the provider is still to be told. */
  pending: boolean
  /** Why it could not be told so far. */
  lastError: string | null
}

/** Whether what the table says holds at the provider yet. */
export function Held({ ports, pending, lastError }: HeldProps) {
  if (lastError === null && !pending && ports.length === 0) return null
  return (
    <p className={styles.state} data-state={lastError === null ? (pending ? 'pending' : 'held') : 'failing'}>
      <span className={styles.lamp} aria-hidden="true" />
      <output>
        {lastError !== null
          ? `The provider has not taken the last change yet and is asked again: ${lastError}`
          : pending
            ? 'The provider is being told: it takes some seconds.'
            : 'Holds on every machine of the training.'}
      </output>
    </p>
  )
}
