import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { quote as quoteCalls, type ListedQuote } from '../../contract/quote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { unpaidOf } from './quote-state.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

interface PayProformaProps {
  quote: ListedQuote
  today: string
  close: () => void
}

export default function PayProforma({ quote, today, close }: PayProformaProps) {
  const { number, proforma, prepaid } = quote
  const left = unpaidOf(quote)
  const [isRecorded, setIsRecorded] = useState(false)
  const recording = useDialogSubmit(
    (body: Parameters<typeof api.quote.pay>[0], options) => api.quote.pay(body, options),
    ['quote', 'ledger', 'credit', 'machine'],
    close,
  )
  const form = useShapedForm({
    shape: quoteCalls.pay.body,
    initialValues: { id: '', amount: left > 0 ? (left / 100).toFixed(2) : '', date: today },
    bodyOf: ({ id, amount, date }) => ({
      number,
      id: id.trim(),
      ...(!isRecorded && { amount: rupeesIn(amount), date }),
    }),
  })
  return (
    <FormDialog
      title={`Payment for ${proforma!.number}`}
      submit="Record Payment"
      busy={recording.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => recording.mutate(body))}
      close={close}
    >
      <p className="dim">
        {prepaid === null
          ? `The payment is an advance. It settles the invoice that is issued for ${proforma!.number}.`
          : 'What is owed is settled first; the rest is prepaid credit.'}
      </p>
      <TextInput data-autofocus label="Payment ID" autoComplete="off" {...form.getInputProps('id')} />
      {prepaid === null && (
        <Checkbox
          label="This payment is in the ledger already"
          description="For example an online payment on account."
          {...controlledCheck(isRecorded, setIsRecorded)}
        />
      )}
      {!isRecorded && (
        <>
          <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" {...form.getInputProps('amount')} />
          <DateField label="Date" {...form.getInputProps('date')} />
        </>
      )}
    </FormDialog>
  )
}
