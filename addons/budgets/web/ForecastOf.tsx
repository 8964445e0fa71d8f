import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { errorSentence, forecastSentences, type OrganisationQuery } from './budget.ts'
import styles from './Budgets.module.css'

const REFRESH_MS = 300_000

export function ForecastOf({
  organisationQuery,
  trainingName,
}: {
  organisationQuery: OrganisationQuery
  trainingName?: string
}) {
  const forecastQuery = trainingName === undefined ? organisationQuery : { ...organisationQuery, trainingName }
  const forecast = useQuery({ ...query(api.budget.forecast, forecastQuery), refetchInterval: REFRESH_MS })
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
