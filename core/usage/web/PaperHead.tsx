import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from './Billing.module.css'

export function PaperHead({ asOf }: { asOf: string }) {
  const { organization, training } = useSelection()
  return (
    <dl className={styles.paper}>
      {organization !== null && <Fact term="Organisation">{organization}</Fact>}
      <Fact term="Training">{training}</Fact>
      <Fact term="Period">
        From its first run to <Instant at={asOf} />
      </Fact>
    </dl>
  )
}
