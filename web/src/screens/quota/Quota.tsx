import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { hoursAllotted, hoursUsed } from '#src/ui/hours.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Figure } from '#src/ui/Fact.tsx'
import { IncreaseForm } from './IncreaseForm.tsx'
import styles from './Quota.module.css'

/** Poll interval in ms: used hours grow while machines run. */
const REFRESH_MS = 30_000

export default function Quota() {
  const { trainingQuery } = useSelection()
  const quota = useQuery({ ...query(api.quota.read, trainingQuery), refetchInterval: REFRESH_MS })
  return (
    <Screen>
      {trainingQuery === null ? (
        <SelectTraining />
      ) : (
        <Fetched query={quota} loading={<Skeleton rows={1} height="17rem" />}>
          {(data) => (
            <section className={`panel ${styles.panel}`} aria-labelledby="quota">
              <h2 id="quota">Increase Training Quota</h2>
              <dl className={styles.figures}>
                <Figure term="Selected training">{trainingQuery.trainingName}</Figure>
                <Hours term="Total quota" hours={hoursAllotted(data.total)} />
                <Hours term="Consumed quota" hours={hoursUsed(data.consumed)} />
              </dl>
              <Bar label={`Quota used by ${trainingQuery.trainingName}`} value={data.consumed} total={data.total} />
              <p className="dim">Hours of all machines of the training, including terminated ones, as on Home.</p>
              <IncreaseForm key={trainingQuery.trainingName} training={trainingQuery} total={data.total} />
            </section>
          )}
        </Fetched>
      )}
    </Screen>
  )
}

const Hours = ({ term, hours }: { term: string; hours: string }) => (
  <Figure term={term}>
    {hours} <span className="unit">{hours === '1' ? 'hour' : 'hours'}</span>
  </Figure>
)
