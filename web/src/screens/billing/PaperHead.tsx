import { useSelection } from '#src/selection.ts'
import { Instant } from '#src/ui/Instant.tsx'
import styles from './Billing.module.css'

/** Whose bill it is and as of when (milliseconds), on paper: on the screen the top bar says so. */
export function PaperHead({ at }: { at: number }) {
  const { organization, training } = useSelection()
  return (
    <div className={styles.paper}>
      <h2>{training}</h2>
      <p>
        {organization !== null && `${organization}, `}as it stood at <Instant at={new Date(at).toISOString()} />
      </p>
    </div>
  )
}
