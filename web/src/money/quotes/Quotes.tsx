import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ListedQuote } from '@trainyard/contract/calls/quote.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { paiseColumn } from '#src/ui/Rupees.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { TextButton } from '#src/ui/TextButton.tsx'
import { formatDate } from '#src/ui/time.ts'
import { stateLabel } from './quote-state.ts'
import { QuoteDialog } from './QuoteDialog.tsx'

/** Quotes of an organisation, or of all. An admin without quotes sees nothing. */
export default function Quotes({ organization }: { organization?: string }) {
  const { role } = useMe()
  const isSuperadmin = role === 'superadmin'
  const list = useQuery(query(api.quote.list, isSuperadmin && organization !== undefined ? { organization } : {}))
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useMemo(() => columnsFor(organization === undefined, setOpened), [organization])
  const shown = list.data?.quotes.find(({ number }) => number === opened)
  if (!isSuperadmin && list.data?.quotes.length === 0) return null
  return (
    <section className="stack" aria-labelledby="quotes">
      <h2 id="quotes">Quotes</h2>
      <Fetched query={list} loading={<Skeleton rows={2} height="2rem" />}>
        {({ quotes }) => (
          <DataTable
            label="Quotes"
            rows={quotes}
            rowId={({ number }) => number}
            columns={columns}
            empty="No quotes have been written yet."
            stacks
          />
        )}
      </Fetched>
      {shown !== undefined && (
        <QuoteDialog quote={shown} today={list.data!.today} isSuperadmin={isSuperadmin} close={() => setOpened(null)} />
      )}
    </section>
  )
}

const columnsFor = (ofAll: boolean, open: (number: string) => void): readonly Column<ListedQuote>[] => [
  { id: 'number', header: 'Number', value: ({ number }) => number },
  ...(ofAll
    ? [{ id: 'organization', header: 'Client Name', value: ({ organization }: ListedQuote) => organization }]
    : []),
  { id: 'date', header: 'Date', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
  {
    id: 'validUntil',
    header: 'Valid Until',
    value: ({ validUntil }) => formatDate(validUntil),
    sortBy: ({ validUntil }) => validUntil,
  },
  paiseColumn('totalPaise', 'Total'),
  {
    id: 'state',
    header: 'State',
    value: stateLabel,
  },
  {
    id: 'actions',
    header: 'Actions',
    value: () => null,
    cell: ({ number }) => (
      <TextButton label={`Open ${number}`} onClick={() => open(number)}>
        Open
      </TextButton>
    ),
  },
]
