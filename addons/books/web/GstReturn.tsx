import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { gstReturn } from '../contract/gst-return.ts'
import { GSTR_1_TABLES, isAdvanceTable } from '../contract/gst-return-words.ts'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

type Return = ReplyOf<typeof gstReturn.read>
type Table = Return['tables'][number]
type Account = Return['accounts'][number] & { readonly leftPaise: number }
type Entry = Return['entries'][number]

/** Time zone of the supplier's months. */
const ZONE = 'Asia/Kolkata'

function lastMonth(): string {
  const [year, month] = today(new Date(), ZONE).split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 2, 1)).toISOString().slice(0, 7)
}

export default function GstReturn() {
  const [month, setMonth] = useState(lastMonth)
  const isMonth = /^\d{4}-\d{2}$/.test(month)
  const found = useQuery(query(api.gstReturn.read, isMonth ? { month } : null))
  const { saving, save } = useSaveFile()
  const isEmpty = found.data === undefined || found.data.gstin === null
  return (
    <Screen
      actions={
        <Button disabled={saving || !isMonth || isEmpty} onClick={() => void save(['gstReturn', 'json'], { month })}>
          Save GSTR-1
        </Button>
      }
    >
      <TextInput label="Month" type="month" maw="12rem" {...controlledText(month, setMonth)} />
      {isMonth ? (
        <Fetched query={found} loading={<Skeleton rows={8} height="2rem" />}>
          {(data) => <Sections found={data} month={month} />}
        </Fetched>
      ) : (
        <p className="dim">Enter a month to see its return.</p>
      )}
    </Screen>
  )
}

function Sections({ found, month }: { found: Return; month: string }) {
  if (found.gstin === null)
    return (
      <p>
        The supplier has no GST number. Enter it in <ScreenLink to="/admin/supplier">Supplier Settings</ScreenLink>.
      </p>
    )
  const accounts = found.accounts.map((each) => ({
    ...each,
    leftPaise: each.ledgerPaise - each.returnPaise - each.listedPaise,
  }))
  return (
    <>
      <section className="stack" aria-labelledby="tables">
        <h2 id="tables">Tables of {formatMonth(month)}</h2>
        <p className="dim">GST number {found.gstin}. Credit notes are negative.</p>
        <DataTable
          label="Tables"
          rows={found.tables}
          rowId={({ table }) => table}
          columns={TABLE_COLUMNS}
          empty="No document was issued in this month."
          stacks
        />
        {found.tables.some(({ table }) => isAdvanceTable(table)) && (
          <p className="dim">
            The tax on advances is due in this month, but it is posted to the output tax accounts only with the invoice.
            It is not part of the comparison below.
          </p>
        )}
      </section>
      <section className="stack" aria-labelledby="comparison">
        <h2 id="comparison">Compared with the Ledger</h2>
        <p>{verdictOn(accounts)}</p>
        <DataTable
          label="Comparison"
          rows={accounts}
          rowId={({ account }) => account}
          columns={ACCOUNT_COLUMNS}
          empty="No account has entries."
          stacks
        />
      </section>
      <section className="stack" aria-labelledby="entries">
        <h2 id="entries">Entries to Check</h2>
        <DataTable
          label="Entries to check"
          rows={found.entries}
          rowId={({ number, organization }) => `${organization} ${number}`}
          columns={ENTRY_COLUMNS}
          empty="Nothing to check: the return contains every entry of the month."
          stacks
          csv={`GSTR-1 differences ${month}`}
        />
      </section>
    </>
  )
}

function verdictOn(accounts: readonly Account[]): string {
  if (accounts.some(({ leftPaise }) => leftPaise !== 0))
    return 'Return and ledger differ by amounts that no listed entry explains. Ask your operator before you file the return.'
  return accounts.every(({ listedPaise }) => listedPaise === 0)
    ? 'Return and ledger agree.'
    : 'The entries below explain the differences between return and ledger.'
}

const TABLE_COLUMNS: readonly Column<Table>[] = [
  { id: 'table', header: 'Table', value: ({ table }) => GSTR_1_TABLES[table], sortable: false },
  { id: 'rows', header: 'Rows', align: 'end', value: ({ rows }) => rows },
  paiseColumn('taxablePaise', 'Taxable'),
  paiseColumn('cgstPaise', 'CGST'),
  paiseColumn('sgstPaise', 'SGST or UTGST'),
  paiseColumn('igstPaise', 'IGST'),
]

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { id: 'account', header: 'Account', value: ({ account }) => account, sortable: false },
  paiseColumn('ledgerPaise', 'Ledger'),
  paiseColumn('returnPaise', 'Return'),
  paiseColumn('listedPaise', 'Listed below'),
  paiseColumn('leftPaise', 'Unexplained'),
]

const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  { id: 'date', header: 'Date', width: '7.5rem', value: ({ date }) => formatDate(date) },
  { id: 'number', header: 'Number', value: ({ number }) => number },
  { id: 'organization', header: 'Organisation', value: ({ organization }) => organization },
  { id: 'reason', header: 'What to do', value: ({ reason }) => reason },
  paiseColumn('totalPaise', 'Amount'),
]
