import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { Section } from '#src/forms/Section.tsx'
import { Instant } from '#src/ui/Instant.tsx'

/** Erasures of persons' data with their state; nothing while there are none. */
export function Erasures({ organization }: { organization: string }) {
  const { data } = useQuery({
    ...query(api.privacy.erasures, { organization }),
    refetchInterval: ({ state }) => (state.data?.erasures.some(({ doneAt }) => doneAt === null) ? 5_000 : false),
  })
  if (data === undefined || data.erasures.length === 0) return null
  return (
    <Section title="Erased persons">
      <ul>
        {data.erasures.map(({ number, email, askedBy, doneAt, problem, report }) => (
          <li key={number}>
            {doneAt === null ? (
              <>
                {email}: {problem ?? 'will be erased within minutes'}
              </>
            ) : (
              <>
                Person {number}, erased at <Instant at={doneAt} /> (requested by {askedBy}):{' '}
                {report.map(({ table, rows }) => `${table.replaceAll('_', ' ')} ${rows}`).join(', ')}
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
