import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { payment } from '../contract/payment.ts'
import { formatRupees, formatRupeesInput, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { type FixedPayment, settledInvoice, sellsCredit } from '@trainyard/ledger/web/slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { loadCheckout, type Order } from './checkout.ts'

interface PayDialogProps {
  organization: string
  /** Rupees owed, the default amount. */
  balance: number
  fixed?: FixedPayment
  onOrdered: (order: Order) => void
  close: () => void
}

export default function PayDialog({ organization, balance, fixed, onOrdered, close }: PayDialogProps) {
  // Key of the dialog. A retry after a lost reply uses the same key and creates no second order of the same amount.
  const [dialogKey] = useState(newId)
  const offered = fixed === undefined ? balance : fixed.amountPaise / 100
  const { prepaidCredit, field: purposeField } = usePaymentPurpose(fixed === undefined ? organization : null)
  const [isAmountEntered, setIsAmountEntered] = useState(false)
  // The default amount is the whole balance. Choosing an invoice sets the amount of that invoice, unless the user
  // entered one.
  const [invoice, setInvoice] = useState<string | null>()
  const form = useShapedForm({
    shape: payment.order.body,
    initialValues: { amount: offered > 0 ? formatRupeesInput(offered) : '' },
    bodyOf({ amount: entered }) {
      const amount = parseRupees(entered) ?? Number.NaN
      if (fixed !== undefined) return { amount, ...fixed.pays }
      return { amount, ...(prepaidCredit === null ? invoice !== undefined && { invoice } : { prepaid: prepaidCredit }) }
    },
  })
  const ordering = useDedupedMutation({
    mutationFn: async (body: BodyOf<typeof payment.order>) => {
      const order = await api.payment.order(body, {
        idempotencyKey: `${dialogKey} ${body.amount} ${String(invoice)} ${JSON.stringify(prepaidCredit)}`,
      })
      await loadCheckout(order.checkoutScript)
      return order
    },
    onSuccess: (order) => {
      // The dialog closes first, because a modal dialog would cover the checkout and trap the focus.
      flushSync(close)
      onOrdered(order)
    },
    onError: (error) => {
      form.setFieldError('amount', <span role="alert">{error.message}</span>)
      // The request or the proforma invoice may have changed.
      if (fixed !== undefined) void invalidate('payment')
    },
  })
  const amountField = form.getInputProps('amount')
  return (
    <FormDialog
      title="Make a Payment"
      submit="Continue to the checkout"
      busy={ordering.isPending && 'Opening the checkout...'}
      onSubmit={form.onSubmit((body) => ordering.mutate(body))}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Amount (₹)"
        description={
          fixed !== undefined
            ? fixed.about
            : balance > 0
              ? `Overall Balance: ${formatRupees(balance)}`
              : prepaidCredit === null
                ? 'Advance payments are applied to the next invoices.'
                : 'The amount includes tax. It settles what you owe first. The rest becomes prepaid credit.'
        }
        inputMode="decimal"
        autoComplete="off"
        readOnly={fixed !== undefined}
        {...amountField}
        onChange={(event) => {
          amountField.onChange(event)
          setIsAmountEntered(true)
        }}
      />
      {purposeField}
      {fixed === undefined && prepaidCredit === null && (
        <Fills
          of={settledInvoice}
          props={{
            organization,
            amount: parseRupees(form.values.amount),
            choose: (open) => !isAmountEntered && form.setFieldValue('amount', formatRupeesInput(open)),
            settles: setInvoice,
          }}
        />
      )}
    </FormDialog>
  )
}

const INVOICES = ''
const ALL = 'all'

/**
 * Returns the field that chooses between settling invoices and buying prepaid credit.
 * @param organization if null, or without prepaid credit, there is no field and the payment settles invoices
 */
function usePaymentPurpose(organization: string | null) {
  const trainings = useTrainings(organization)
  const [choice, setChoice] = useState(INVOICES)
  const prepaidCredit =
    choice === INVOICES ? null : { trainingName: choice === ALL ? null : choice.slice('training '.length) }
  const field = organization !== null && provided(sellsCredit) && (
    <NativeSelect
      label="Pays for"
      data={[
        { value: INVOICES, label: 'Invoices' },
        { value: ALL, label: 'Prepaid credit for all trainings' },
        ...(trainings.data ?? []).map((name) => ({ value: `training ${name}`, label: `Prepaid credit for ${name}` })),
      ]}
      {...controlledText(choice, setChoice)}
    />
  )
  return { prepaidCredit, field }
}
