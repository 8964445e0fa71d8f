import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

type Row = ReplyOf<typeof accounting.trialBalance>['accounts'][number]

export default function TrialBalance() {
  const { timeZone } = useMe()
  const [on, setOn] = useState(() => today(new Date(), timeZone))
  const balance = useQuery(query(api.ledger.trialBalance, on === '' ? null : { on }))
  return (
    <section className="stack" aria-labelledby="trial-balance">
      <h2 id="trial-balance">Trial Balance</h2>
      <DateField label="At the end of" maw="12rem" {...controlledText(on, setOn)} />
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
