import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Pay } from '@trainyard/ledger/web/slots.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { paymentRequests } from '../contract/payment-request.ts'
import { canPay, REQUEST_LABELS } from '../contract/payment-request-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

const RequestDialog = lazy(() => import('./RequestDialog.tsx'))

type PaymentRequest = ReplyOf<typeof paymentRequests.requests>['requests'][number]

interface RequestsProps {
  organization: string
  pay: Pay
}

const queriesOf = ({ organization }: { organization: string }) =>
  [query(api.payment.requests, { organization })] as const

export default function Requests({ organization, pay }: RequestsProps) {
  const asks = useMe().role === 'superadmin'
  const { request: linked } = useSearch({ strict: false }) as { request?: string }
  const [chosen, setChosen] = useState(linked)
  const { data } = useQuery(queriesOf({ organization })[0])
  const cancelling = useAction((id: string) => api.payment.cancelRequest({ id }), {
    invalidates: ['payment'],
    refetchesOnFailure: true,
    onSettled: () => setChosen(undefined),
  })
  if (data === undefined || (!asks && data.requests.length === 0)) return null
  const found = data.requests.find(({ id }) => id === chosen)
  const may = found && canPay(found.state)
  const close = () => setChosen(undefined)
  const act: Column<PaymentRequest> = {
    id: 'act',
    header: asks ? 'Cancel' : 'Pay',
    cell: ({ id, state, about }) =>
      state === 'open' && (
        <Button variant="default" size="xs" onClick={() => setChosen(id)}>
          {asks ? 'Cancel' : 'Pay'}
          <span className="visually-hidden"> {about}</span>
        </Button>
      ),
  }
  return (
    <section className="stack no-print" aria-labelledby="requests">
      <h2 id="requests">Payment Requests</h2>
      {typeof may === 'string' && <output>{may}</output>}
      <DataTable
        label="Payment Requests"
        rows={data.requests}
        rowId={({ id }) => id}
        columns={[...COLUMNS, act]}
        empty="No payment requests yet."
        stacks
        {...(asks && {
          tools: (
            <DialogButton
              variant="default"
              size="sm"
              icon={IconPlus}
              dialog={(done) => <RequestDialog organization={organization} close={done} />}
            >
              Request a Payment
            </DialogButton>
          ),
        })}
      />
      {found && may === true && (
        <Suspense>
          {asks ? (
            <ConfirmDialog
              title="Cancel a Payment Request"
              confirm="Cancel the request"
              refuse="Keep the request"
              busy={cancelling.isPending && 'Cancelling...'}
              destroys
              onConfirm={() => cancelling.mutate(found.id)}
              close={close}
            >
              <p>“{found.about}” can no longer be paid by its link. A payment in progress is still credited.</p>
            </ConfirmDialog>
          ) : (
            pay({ about: found.about, amountPaise: found.amountPaise, pays: { request: found.id } }, close)
          )}
        </Suspense>
      )}
    </section>
  )
}
Requests.queriesOf = queriesOf

const toWords = ({ to }: PaymentRequest): string =>
  to === null ? 'sending' : to.length === 0 ? 'no recipient' : to.join(', ')

const COLUMNS: readonly Column<PaymentRequest>[] = [
  instantColumn('at', 'Requested'),
  { id: 'about', header: 'For', value: ({ about }) => about },
  paiseColumn('amountPaise', 'Amount'),
  instantColumn('expiresAt', 'Until'),
  { id: 'to', header: 'Mailed to', value: toWords },
  { id: 'state', header: 'State', value: ({ state }) => REQUEST_LABELS[state] },
]
