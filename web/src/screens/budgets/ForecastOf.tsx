import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { errorSentence, forecastSentences, type OfOrganisation } from './budget.ts'
import styles from './Budgets.module.css'

const REFRESH_MS = 300_000

export function ForecastOf({ of, trainingName }: { of: OfOrganisation; trainingName?: string }) {
  const asked = trainingName === undefined ? of : { ...of, trainingName }
  const forecast = useQuery({ ...query(api.budget.forecast, asked), refetchInterval: REFRESH_MS })
  return (
    <Fetched query={forecast} loading={<Skeleton rows={2} height="1.25rem" />}>
      {(data) => (
        <div className={styles.forecast}>
          {forecastSentences(data, trainingName !== undefined).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p className="dim">{errorSentence(data)}</p>
        </div>
      )}
    </Fetched>
  )
}
