import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { privacy } from '../contract/privacy.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'

type Rows = ReplyOf<typeof privacy.erasures>['erasures'][number]['report']

function Report({ rows }: { rows: Rows }) {
  const total = rows.reduce((sum, each) => sum + each.rows, 0)
  return (
    <details>
      <summary>{total === 1 ? 'One row erased or changed' : `${total} rows erased or changed`}</summary>
      {rows.map(({ table, rows: count }) => `${table.replaceAll('_', ' ')}: ${count}`).join(', ')}
    </details>
  )
}

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
                <strong>{email}</strong>, requested by {askedBy}:{' '}
                {problem === null ? 'will be erased within minutes.' : `Not erased yet. ${problem}`}
              </>
            ) : (
              <>
                <strong>Person {number}</strong>, requested by {askedBy}: erased at <Instant at={doneAt} />.
                <Report rows={report} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
