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
import { IncreaseForm } from './IncreaseForm.tsx'
import styles from './Quota.module.css'

/** The interval, in ms: used hours grow while machines run. */
const REFRESH_MS = 30_000

/** Quota Assignment: the hours of a training, the used ones, and a form for more. */
export default function Quota() {
  const { ofTraining } = useSelection()
  const quota = useQuery({ ...query(api.quota.read, ofTraining), refetchInterval: REFRESH_MS })
  return (
    <Screen>
      {ofTraining === null ? (
        <SelectTraining />
      ) : (
        <Fetched query={quota} loading={<Skeleton rows={1} height="17rem" />}>
          {(data) => (
            <section className={`panel ${styles.panel}`} aria-labelledby="quota">
              <h2 id="quota">Increase Training Quota</h2>
              <dl className={styles.figures}>
                <div>
                  <dt className="over">Selected training</dt>
                  <dd className="figure">{ofTraining.trainingName}</dd>
                </div>
                <Hours term="Total quota" hours={hoursAllotted(data.total)} />
                <Hours term="Consumed quota" hours={hoursUsed(data.consumed)} />
              </dl>
              <Bar label={`Quota used by ${ofTraining.trainingName}`} value={data.consumed} total={data.total} />
              <p className="dim">Hours of all machines that the training ever had, terminated ones too, as on Home.</p>
              <IncreaseForm key={ofTraining.trainingName} of={ofTraining} total={data.total} />
            </section>
          )}
        </Fetched>
      )}
    </Screen>
  )
}

const Hours = ({ term, hours }: { term: string; hours: string }) => (
  <div>
    <dt className="over">{term}</dt>
    <dd className="figure">
      {hours} <span className="unit">{hours === '1' ? 'hour' : 'hours'}</span>
    </dd>
  </div>
)
