import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { accounting } from '@trainyard/contract/calls/accounting.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { paiseColumn } from '#src/ui/Rupees.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { formatDate, today } from '#src/ui/time.ts'
import { controlledText } from '#src/ui/typed-fields.tsx'

type Row = ReplyOf<typeof accounting.trialBalance>['accounts'][number]

export default function TrialBalance() {
  const { timeZone } = useMe()
  const [on, setOn] = useState(() => today(new Date(), timeZone))
  const balance = useQuery(query(api.ledger.trialBalance, on === '' ? null : { on }))
  return (
    <section className="stack" aria-labelledby="trial-balance">
      <h2 id="trial-balance">Trial Balance</h2>
      <TextInput label="At the end of" type="date" maw="12rem" {...controlledText(on, setOn)} />
      {on === '' ? (
        <p className="dim">Enter a day to see its trial balance.</p>
      ) : (
        <Fetched query={balance} loading={<Skeleton rows={8} height="2rem" />}>
          {(data) => (
            <>
              <DataTable
                label="Trial Balance"
                rows={data.accounts.filter(({ debitPaise, creditPaise }) => debitPaise + creditPaise > 0)}
                rowId={({ account }) => account}
                columns={COLUMNS}
                empty="No account has entries."
                stacks
              />
              <p>
                Debits {formatRupees(data.debitPaise / 100)}, credits {formatRupees(data.creditPaise / 100)} at the end
                of {formatDate(data.on)}.
              </p>
            </>
          )}
        </Fetched>
      )}
    </section>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'account', header: 'Account', value: ({ account }) => account, sortable: false },
  paiseColumn('debitPaise', 'Debit'),
  paiseColumn('creditPaise', 'Credit'),
]
