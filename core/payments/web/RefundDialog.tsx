import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { payment } from '../contract/payment.ts'
import {
  formatRupees,
  formatRupeesInput,
  numberProblem,
  parseRupees,
} from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

interface RefundDialogProps {
  organization: string
  /** Payments that can still be refunded, newest first; at least one. */
  payments: ReplyOf<typeof payment.refunds>['payments']
  close: () => void
}

export default function RefundDialog({ organization, payments, close }: RefundDialogProps) {
  const [chosen, setChosen] = useState(payments[0]!.id)
  const payment = payments.find(({ id }) => id === chosen) ?? payments[0]!
  const leftRupees = payment.leftPaise / 100
  const [entered, setEntered] = useState(formatRupeesInput(leftRupees))
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const refunding = useDialogSubmit(api.payment.refund, ['payment', 'ledger'], close)
  const amount = parseRupees(entered)
  const wrongAmount =
    amount === null
      ? numberProblem(entered, 'Enter rupees with at most two decimals.')
      : amount < 1
        ? 'Enter at least ₹1, the payment provider’s minimum for a refund.'
        : amount > leftRupees
          ? `At most ${formatRupees(leftRupees)} of this payment can be refunded.`
          : null
  const wrongReason = reason.trim() === '' ? 'Enter a reason.' : null
  const submit = () => {
    setTried(true)
    if (amount === null || wrongAmount !== null || wrongReason !== null) return
    refunding.mutate({ organization, payment: payment.id, amount, reason: reason.trim() })
  }
  const alert = (problem: string | null) => tried && problem && <span role="alert">{problem}</span>
  return (
    <FormDialog
      title="Refund a Payment"
      submit={wrongAmount === null ? `Refund ${formatRupees(amount!)}` : 'Refund'}
      busy={refunding.isPending && 'Requesting...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        label="Payment"
        data={payments.map(({ id, date, amountPaise }) => ({
          value: id,
          label: `${formatDate(date)}: ${formatRupees(amountPaise / 100)}, ${id}`,
        }))}
        {...controlledText(payment.id, (to) => {
          setChosen(to)
          setEntered(formatRupeesInput(payments.find(({ id }) => id === to)!.leftPaise / 100))
        })}
      />
      <TextInput
        data-autofocus
        label="Amount (₹)"
        description={`${formatRupees(leftRupees)} of this payment can be refunded.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...controlledText(entered, setEntered)}
        error={alert(wrongAmount)}
      />
      <TextInput
        label="Reason"
        autoComplete="off"
        maxLength={200}
        {...controlledText(reason, setReason)}
        error={alert(wrongReason)}
      />
      <p className="dim">
        The amount is refunded to the original payment method, and the balance of {organization} increases by it. A
        refund can’t be cancelled once it is sent.
      </p>
    </FormDialog>
  )
}
