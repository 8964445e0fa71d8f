import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Figure } from '@trainyard/platform/web/ui/Fact.tsx'
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
