import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { payment as paymentCalls, paymentAmount } from '../contract/payment.ts'
import { formatRupees, formatRupeesInput, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

interface RefundDialogProps {
  organization: string
  /** Payments that can still be refunded, newest first; at least one. */
  payments: ReplyOf<typeof paymentCalls.refunds>['payments']
  close: () => void
}

export default function RefundDialog({ organization, payments, close }: RefundDialogProps) {
  const [chosen, setChosen] = useState(payments[0]!.id)
  const payment = payments.find(({ id }) => id === chosen) ?? payments[0]!
  const leftRupees = payment.leftPaise / 100
  const refunding = useDialogSubmit(api.payment.refund, ['payment', 'ledger'], close)
  const form = useShapedForm({
    shape: paymentCalls.refund.body.extend({
      amount: paymentAmount.refine(
        (rupees) => rupees <= leftRupees,
        `At most ${formatRupees(leftRupees)} of this payment can be refunded.`,
      ),
    }),
    initialValues: { amount: formatRupeesInput(leftRupees), reason: '' },
    bodyOf: ({ amount, reason }) => ({
      organization,
      payment: payment.id,
      amount: rupeesIn(amount),
      reason: reason.trim(),
    }),
  })
  const { amount } = form.getTransformedValues()
  return (
    <FormDialog
      title="Refund a Payment"
      submit={amount > 0 && amount <= leftRupees ? `Refund ${formatRupees(amount)}` : 'Refund'}
      busy={refunding.isPending && 'Requesting...'}
      onSubmit={form.onSubmit((body) => refunding.mutate(body))}
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
          form.setFieldValue('amount', formatRupeesInput(payments.find(({ id }) => id === to)!.leftPaise / 100))
        })}
      />
      <TextInput
        data-autofocus
        label="Amount (₹)"
        description={`${formatRupees(leftRupees)} of this payment can be refunded.`}
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      <TextInput label="Reason" autoComplete="off" {...form.getInputProps('reason')} />
      <p className="dim">
        The amount is refunded to the original payment method, and the balance of {organization} increases by it. A
        refund can’t be cancelled once it is sent.
      </p>
    </FormDialog>
  )
}
