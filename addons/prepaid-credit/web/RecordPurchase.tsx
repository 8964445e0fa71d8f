import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { credit } from '../contract/credit.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { CreditFor } from './CreditFor.tsx'
import type { PrepaidState } from './forecast.ts'

/** Records a payment made outside the portal that buys prepaid credit. */
export default function RecordPurchase({ state, close }: { state: PrepaidState; close: () => void }) {
  const { timeZone } = useMe()
  const { organization } = state
  const [now] = useState(() => today(new Date(), timeZone))
  const recording = useDialogSubmit(api.credit.record, ['credit', 'ledger', 'machine', 'home'], close)
  const form = useShapedForm({
    shape: credit.record.body,
    initialValues: { trainingName: '', id: '', amount: '', date: now },
    bodyOf: ({ trainingName, id, amount, date }) => ({
      organization,
      ...(trainingName !== '' && { trainingName }),
      id: id.trim(),
      amount: rupeesIn(amount),
      date,
    }),
  })
  return (
    <FormDialog
      title="Record Purchase"
      submit="Record Purchase"
      busy={recording.isPending && 'Recording...'}
      onSubmit={form.onSubmit((body) => recording.mutate(body))}
      close={close}
    >
      <CreditFor state={state} {...form.getInputProps('trainingName')} />
      <TextInput data-autofocus label="Payment ID" autoComplete="off" {...form.getInputProps('id')} />
      <TextInput
        label="Amount (₹)"
        description="The amount includes tax. It settles what the customer owes first. The rest becomes prepaid credit."
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      <DateField label="Date" {...form.getInputProps('date')} />
    </FormDialog>
  )
}
