import styles from './Ports.module.css'

interface HeldProps {
  ports: readonly number[]
  /** Whether the provider is still to be told. */
  pending: boolean
  /** Why it could not be told so far. */
  trouble: string | null
}

/** Whether what the table says holds at the provider yet. */
export function Held({ ports, pending, trouble }: HeldProps) {
  if (trouble === null && !pending && ports.length === 0) return null
  return (
    <p className={styles.state} data-state={trouble === null ? (pending ? 'pending' : 'held') : 'trouble'}>
      <span className={styles.lamp} aria-hidden="true" />
      <output>
        {trouble !== null
          ? `The provider has not taken the last change yet and is asked again: ${trouble}`
          : pending
            ? 'The provider is being told: it takes some seconds.'
            : 'Holds on every machine of the training.'}
      </output>
    </p>
  )
}
