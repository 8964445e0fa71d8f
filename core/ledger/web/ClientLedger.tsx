import { Link, useNavigate } from '@tanstack/react-router'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ledger } from '../contract/ledger.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { rupeesColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Ledger.module.css'

export type Summary = ReplyOf<typeof ledger.summary>
type Client = Summary['ledger'][number]

export function ClientLedger({ clients }: { clients: readonly Client[] }) {
  const navigate = useNavigate()
  return (
    <section className="stack" aria-labelledby="clients">
      <h2 id="clients">Client Ledger</h2>
      <DataTable
        label="Client Ledger"
        rows={clients}
        rowId={({ organization }) => organization}
        columns={COLUMNS}
        empty={EMPTY.clients}
        search
        stacks
        csv="Client Ledger"
        sortedBy={{ id: 'balance', desc: true }}
        onRowClick={({ organization }) => void navigate({ to: '/ledger/account', search: { organization } })}
      />
    </section>
  )
}

const COLUMNS: readonly Column<Client>[] = [
  { id: 'place', header: '#', width: '3.5rem', value: (_, index) => index + 1, sortable: false, onPhone: false },
  {
    id: 'name',
    header: 'Client Name',
    value: ({ name }) => name,
    cell: ({ name, organization }) => (
      <Link
        to="/ledger/account"
        search={{ organization }}
        className={styles.client}
        // Without this, the row's click handler would navigate too, also when the link opens a new tab.
        onClick={(event) => event.stopPropagation()}
      >
        {name}
      </Link>
    ),
  },
  rupeesColumn('invoice', 'Invoice Value'),
  rupeesColumn('payment', 'Payment Received'),
  rupeesColumn('balance', 'Balance'),
]
