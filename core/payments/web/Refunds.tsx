import IconReload from '@tabler/icons-react/icons/IconReload'
import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { payment } from '../contract/payment.ts'
import { REFUND_LABELS } from '../contract/refund.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

const RefundDialog = lazy(() => import('./RefundDialog.tsx'))

/** Poll interval in ms while a refund is in progress. */
const WATCH_MS = 4_000

type Refund = ReplyOf<typeof payment.refunds>['refunds'][number]

const underWay = ({ state }: Refund) => state !== 'processed' && state !== 'failed'

export default function Refunds({ organization }: { organization: string }) {
  const { data } = useQuery({
    ...query(api.payment.refunds, { organization }),
    refetchInterval: ({ state }) => (state.data?.refunds.some(underWay) ? WATCH_MS : false),
  })
  const through = data?.refunds.filter((refund) => !underWay(refund)).length
  // A completed refund adds a ledger entry, and can reopen invoices.
  useEffect(() => void (through && invalidate('ledger')), [through])
  if (data === undefined || data.payments.length === 0) return null
  const refundable = data.payments.filter(({ leftPaise }) => leftPaise >= 100)
  return (
    <section className="stack no-print" aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <DataTable
        label="Refunds"
        rows={data.refunds}
        rowId={({ id }) => id}
        columns={COLUMNS}
        empty="No refunds yet."
        stacks
        tools={
          <DialogButton
            variant="default"
            size="sm"
            icon={IconReload}
            disabled={refundable.length === 0}
            dialog={(close) => <RefundDialog organization={organization} payments={refundable} close={close} />}
          >
            Refund a Payment
          </DialogButton>
        }
      />
    </section>
  )
}

const COLUMNS: readonly Column<Refund>[] = [
  instantColumn('at', 'Requested'),
  {
    id: 'payment',
    header: 'Payment',
    value: ({ payment }) => payment,
    cell: ({ payment }) => <span className="mono">{payment}</span>,
  },
  paiseColumn('amountPaise', 'Amount'),
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason },
  { id: 'by', header: 'By', value: ({ by }) => by },
  {
    id: 'state',
    header: 'State',
    value: ({ state, error }) => (error === null ? REFUND_LABELS[state] : `${REFUND_LABELS[state]}: ${error}`),
  },
]
