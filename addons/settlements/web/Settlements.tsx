import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { settlement } from '../contract/settlement.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { SETTLEMENT_DIFFERENCES } from '../contract/settlement-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { pagesOf, query } from '@trainyard/platform/web/api/queries.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

type Row = ReplyOf<typeof settlement.list>['settlements'][number]
type Line = ReplyOf<typeof settlement.lines>['lines'][number]
type Differences = ReplyOf<typeof settlement.differences>
type Difference = Differences['rows'][number]

export default function Settlements() {
  const pages = useInfiniteQuery(pagesOf(api.settlement.list, {}))
  const differences = useQuery(query(api.settlement.differences))
  const [opened, open] = useState<string | null>(null)
  const rows = useMemo(() => pages.data?.pages.flatMap(({ settlements }) => settlements) ?? [], [pages.data])
  const columns = useMemo(() => columnsWith(open), [])
  const readTo = pages.data?.pages[0]?.readTo ?? null
  return (
    <Screen>
      <p className="dim">
        What the payment provider paid to the bank, after its fee.{' '}
        {readTo === null
          ? 'Settlements are read daily after the first online payment.'
          : `Read up to ${formatDate(readTo)}.`}
      </p>
      <Fetched query={pages} loading={<Skeleton rows={4} height="2rem" />}>
        {() => (
          <>
            <DataTable
              label="Settlements"
              rows={rows}
              rowId={({ id }) => id}
              columns={columns}
              empty="Nothing has been settled yet."
              stacks
              csv="Settlements"
            />
            {pages.hasNextPage && (
              <div>
                <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                  Show earlier settlements
                </Button>
              </div>
            )}
          </>
        )}
      </Fetched>
      <h2>Compared with the Ledger</h2>
      <Fetched query={differences} loading={<Skeleton rows={2} height="2rem" />}>
        {(data) => <Compared found={data} />}
      </Fetched>
      {opened !== null && <Lines id={opened} close={() => open(null)} />}
    </Screen>
  )
}

function Compared({ found: { balancePaise, waitingPaise, rows } }: { found: Differences }) {
  return (
    <>
      <p>
        Balance of Payment Provider: {formatRupees(balancePaise / 100)}. Waiting for settlement:{' '}
        {formatRupees(waitingPaise / 100)}.
      </p>
      <DataTable
        label="Differences from the ledger"
        rows={rows}
        rowId={({ id }) => id}
        columns={DIFFERENCE_COLUMNS}
        empty="Ledger and settlements agree."
        stacks
        csv="Settlement differences"
      />
    </>
  )
}

function Lines({ id, close }: { id: string; close: () => void }) {
  const found = useQuery(query(api.settlement.lines, { id }))
  return (
    <Dialog title={`Settlement ${id}`} close={close} wide>
      <Fetched query={found} loading={<Skeleton rows={4} height="2rem" />}>
        {({ lines, entries }) => (
          <>
            <DataTable
              label="Lines"
              rows={lines}
              rowId={(line) => line.id}
              columns={LINE_COLUMNS}
              empty="All lines moved to a later settlement."
              stacks
              csv={`Settlement ${id}`}
            />
            {entries.map(({ number, date, netPaise }) => (
              <p key={number}>
                Posted on {formatDate(date)}: {formatRupees(netPaise / 100)} to Bank.
              </p>
            ))}
          </>
        )}
      </Fetched>
    </Dialog>
  )
}

const columnsWith = (open: (id: string) => void): readonly Column<Row>[] => [
  { id: 'date', header: 'Date', width: '7.5rem', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
  {
    id: 'id',
    header: 'Settlement',
    value: ({ id, utr }) => (utr === null ? id : `${id}, UTR ${utr}`),
    cell: ({ id, utr }) => (
      <>
        <TextButton onClick={() => open(id)}>{id}</TextButton>
        {utr !== null && <div className="dim">UTR {utr}</div>}
      </>
    ),
  },
  paiseColumn('paymentsPaise', 'Payments'),
  paiseColumn('refundsPaise', 'Refunds'),
  paiseColumn('othersPaise', 'Adjustments'),
  paiseColumn('feePaise', 'Fee'),
  paiseColumn('taxPaise', 'GST on fee'),
  paiseColumn('netPaise', 'To bank'),
]

const LINE_COLUMNS: readonly Column<Line>[] = [
  { id: 'type', header: 'Type', value: ({ type }) => type },
  { id: 'id', header: 'ID', value: ({ id }) => id },
  { id: 'organization', header: 'Organisation', value: ({ organization, description }) => organization ?? description },
  paiseColumn('grossPaise', 'Amount'),
  paiseColumn('feePaise', 'Fee'),
  paiseColumn('taxPaise', 'GST on fee'),
  paiseColumn('netPaise', 'To bank'),
]

const DIFFERENCE_COLUMNS: readonly Column<Difference>[] = [
  { id: 'date', header: 'Date', width: '7.5rem', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
  { id: 'id', header: 'ID', value: ({ id }) => id },
  { id: 'organization', header: 'Organisation', value: ({ organization }) => organization },
  { id: 'settlement', header: 'Settlement', value: ({ settlement: id }) => id },
  paiseColumn('ledgerPaise', 'Ledger'),
  paiseColumn('settledPaise', 'Settled'),
  { id: 'reason', header: 'What to do', value: ({ reason }) => SETTLEMENT_DIFFERENCES[reason] },
]
