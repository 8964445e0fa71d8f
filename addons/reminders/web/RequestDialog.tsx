import { TextInput } from '@mantine/core'
import { formatRupees, numberIn, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { paymentRequests } from '../contract/payment-request.ts'
import { REQUEST_DAYS_DEFAULT } from '../contract/payment-request-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

interface RequestDialogProps {
  organization: string
  close: () => void
}

export default function RequestDialog({ organization, close }: RequestDialogProps) {
  const request = useDialogSubmit(api.payment.request, ['payment'], close)
  const form = useShapedForm({
    shape: paymentRequests.request.body,
    initialValues: { amount: '', about: '', days: String(REQUEST_DAYS_DEFAULT) },
    bodyOf: ({ amount, about, days }) => ({
      organization,
      amount: rupeesIn(amount),
      about: about.trim(),
      days: numberIn(days),
    }),
  })
  const { amount } = form.getTransformedValues()
  return (
    <FormDialog
      title="Request a Payment"
      submit={amount >= 1 ? `Request ${formatRupees(amount)}` : 'Request'}
      busy={request.isPending && 'Requesting...'}
      onSubmit={form.onSubmit((body) => request.mutate(body))}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Amount (₹)"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      <TextInput label="For" autoComplete="off" {...form.getInputProps('about')} />
      <TextInput label="Days to pay" inputMode="numeric" autoComplete="off" {...form.getInputProps('days')} />
      <p className="dim">
        The billing addresses of {organization} receive a link by mail. An admin signs in to pay it, once.
      </p>
    </FormDialog>
  )
}
