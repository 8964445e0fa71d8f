import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { rupeesTyped, typedRupees } from '#src/money/amount.ts'
import { loadCheckout, type Order } from './checkout.ts'
import type { PaymentRequest } from './Requests.tsx'

interface PayDialogProps {
  /** Rupees owed: the amount that is offered. */
  balance: number
  /** The request that is paid: its amount is not changed. */
  request?: PaymentRequest
  /** The order is made and its checkout can be opened. */
  ordered: (order: Order) => void
  close: () => void
}

/** Make a Payment: how much; then an order at the provider, whose checkout takes over. */
export default function PayDialog({ balance, request, ordered, close }: PayDialogProps) {
  // A second click, or a repeat after a lost answer, makes no second order of the same amount.
  const [wish] = useState(() => crypto.randomUUID())
  const [typed, setTyped] = useState(() => {
    const offered = request === undefined ? balance : request.amountPaise / 100
    return offered > 0 ? typedRupees(offered) : ''
  })
  const [problem, setProblem] = useState<string | null>(null)
  const ordering = useMutation({
    mutationFn: async (amount: number) => {
      const order = await api.payment.order(
        { amount, ...(request && { request: request.id }) },
        { idempotencyKey: `${wish} ${amount}` },
      )
      await loadCheckout(order.checkoutScript)
      return order
    },
    onSuccess: (order) => {
      // A modal dialog would lie over the checkout, and keep the focus from it.
      flushSync(close)
      ordered(order)
    },
    onError: (error) => setProblem(error.message),
  })
  const submit = () => {
    const amount = rupeesTyped(typed)
    if (amount === null || amount <= 0) setProblem(ALERTS.amountInvalid)
    else ordering.mutate(amount)
  }
  return (
    <FormDialog
      title="Make a Payment"
      submit="Continue to the checkout"
      busy={ordering.isPending && 'Opening the checkout...'}
      onSubmit={submit}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Amount (₹)"
        description={
          request !== undefined
            ? request.about
            : balance > 0
              ? `Overall Balance: ${formatRupees(balance)}`
              : 'What you pay ahead is kept for the next invoices.'
        }
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        readOnly={request !== undefined}
        value={typed}
        error={problem && <span role="alert">{problem}</span>}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(null)
        }}
      />
    </FormDialog>
  )
}
