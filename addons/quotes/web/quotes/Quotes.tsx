import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { Pay } from '@trainyard/ledger/web/slots.ts'
import type { ListedQuote } from '../../contract/quote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { isPayableOnline, stateLabel, unpaidOf } from './quote-state.ts'
import { QuoteDialog } from './QuoteDialog.tsx'

/** Poll interval in ms while a proforma invoice is not paid. */
const REFRESH_MS = 20_000

interface QuotesProps {
  organization?: string
  /** Only admins pay a proforma invoice. */
  pay?: Pay
}

/** Quotes of an organisation, or of all. */
export default function Quotes({ organization, pay }: QuotesProps) {
  const { role } = useMe()
  const isSuperadmin = role === 'superadmin'
  const list = useQuery({
    ...query(api.quote.list, isSuperadmin && organization !== undefined ? { organization } : {}),
    refetchInterval: ({ state }) => (state.data?.quotes.some(isPayableOnline) ? REFRESH_MS : false),
  })
  const [opened, setOpened] = useState<string | null>(null)
  const [paid, setPaid] = useState<ListedQuote | null>(null)
  const isPayer = !isSuperadmin && pay !== undefined
  const columns = useMemo(
    () => columnsFor(organization === undefined, setOpened, isPayer ? setPaid : null),
    [organization, isPayer],
  )
  const startPaying = (quote: ListedQuote) => {
    setOpened(null)
    setPaid(quote)
  }
  const shown = list.data?.quotes.find(({ number }) => number === opened)
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
        <QuoteDialog
          quote={shown}
          today={list.data!.today}
          isSuperadmin={isSuperadmin}
          pay={isPayer && isPayableOnline(shown) ? () => startPaying(shown) : null}
          close={() => setOpened(null)}
        />
      )}
      {paid !== null && (
        <Suspense>
          {pay?.(
            {
              about: `Proforma invoice ${paid.proforma!.number}`,
              amountPaise: unpaidOf(paid),
              pays: { proforma: paid.proforma!.number },
            },
            () => setPaid(null),
          )}
        </Suspense>
      )}
    </section>
  )
}

const columnsFor = (
  ofAll: boolean,
  open: (number: string) => void,
  pay: ((quote: ListedQuote) => void) | null,
): readonly Column<ListedQuote>[] => [
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
    cell: (quote) => (
      <span className="row">
        <TextButton label={`Open ${quote.number}`} onClick={() => open(quote.number)}>
          Open
        </TextButton>
        {pay !== null && isPayableOnline(quote) && (
          <Button variant="default" size="xs" onClick={() => pay(quote)}>
            Pay<span className="visually-hidden"> {quote.proforma!.number}</span>
          </Button>
        )}
      </span>
    ),
  },
]
