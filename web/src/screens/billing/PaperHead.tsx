import { useSelection } from '#src/navigation/useSelection.ts'
import { Instant } from '#src/ui/Instant.tsx'
import styles from './Billing.module.css'

/** Organisation, training and date on the printed bill; on screen the top bar shows them. */
export function PaperHead({ asOf }: { asOf: string }) {
  const { organization, training } = useSelection()
  return (
    <dl className={styles.paper}>
      {organization !== null && (
        <div>
          <dt>Organisation</dt>
          <dd>{organization}</dd>
        </div>
      )}
      <div>
        <dt>Training</dt>
        <dd>{training}</dd>
      </div>
      <div>
        <dt>Period</dt>
        <dd>
          From its first run to <Instant at={asOf} />
        </dd>
      </div>
    </dl>
  )
}
