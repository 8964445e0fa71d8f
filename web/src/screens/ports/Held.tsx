import styles from './Ports.module.css'

interface HeldProps {
  ports: readonly number[]
  /** True while the provider is still to be told. */
  pending: boolean
  /** The reason why it could not be told so far; null: none. */
  lastError: string | null
}

/** Tells when the provider has the ports of the table. */
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
