import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { payment } from '@trainyard/contract/calls/payment.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api/client.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { formatDate } from '#src/ui/time.ts'
import { useCreation } from '#src/forms/useCreation.ts'
import { rupeesTyped, typedRupees } from '#src/money/amount.ts'

interface RefundDialogProps {
  organization: string
  /** Those with something left to be paid back, the newest first; one at least. */
  payments: ReplyOf<typeof payment.refunds>['payments']
  close: () => void
}

/** Refund a Payment: how much of which, and why; what it comes to is said before it is sent. */
export default function RefundDialog({ organization, payments, close }: RefundDialogProps) {
  const [chosen, setChosen] = useState(payments[0]!.id)
  const of = payments.find(({ id }) => id === chosen) ?? payments[0]!
  const left = of.leftPaise / 100
  const [typed, setTyped] = useState(typedRupees(left))
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const refunding = useCreation(api.payment.refund, ['payment', 'ledger'], close)
  const amount = rupeesTyped(typed)
  const wrongAmount =
    amount === null
      ? 'Enter rupees with at most two decimals.'
      : amount < 1
        ? 'Enter at least ₹1: the payment provider pays no less back.'
        : amount > left
          ? `At most ${formatRupees(left)} are left of this payment.`
          : null
  const wrongReason = reason.trim() === '' ? 'Say why it is paid back.' : null
  const submit = () => {
    setTried(true)
    if (amount === null || wrongAmount !== null || wrongReason !== null) return
    refunding.mutate({ organization, payment: of.id, amount, reason: reason.trim() })
  }
  const alert = (problem: string | null) => tried && problem && <span role="alert">{problem}</span>
  return (
    <FormDialog
      title="Refund a Payment"
      submit={wrongAmount === null ? `Pay ${formatRupees(amount!)} back` : 'Pay back'}
      busy={refunding.isPending && 'Asking...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        label="Payment"
        value={of.id}
        onChange={(event) => {
          const { value } = event.currentTarget
          setChosen(value)
          setTyped(typedRupees(payments.find(({ id }) => id === value)!.leftPaise / 100))
        }}
      >
        {payments.map(({ id, date, amountPaise }) => (
          <option key={id} value={id}>{`${formatDate(date)}: ${formatRupees(amountPaise / 100)}, ${id}`}</option>
        ))}
      </NativeSelect>
      <TextInput
        data-autofocus
        label="Amount (₹)"
        description={`${formatRupees(left)} are left of this payment.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={typed}
        error={alert(wrongAmount)}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TextInput
        label="Reason"
        autoComplete="off"
        maxLength={200}
        value={reason}
        error={alert(wrongReason)}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <p className="dim">
        It goes back the way it came, and {organization} owes that much more. It can’t be called back once it is sent.
      </p>
    </FormDialog>
  )
}
