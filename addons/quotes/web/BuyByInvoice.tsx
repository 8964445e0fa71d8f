import { TextInput } from '@mantine/core'
import { quote } from '../contract/quote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { CreditFor } from '@trainyard/prepaid-credit/web/CreditFor.tsx'
import type { PrepaidState } from '@trainyard/prepaid-credit/web/forecast.ts'

/** Mails a proforma invoice whose payment becomes prepaid credit. */
export default function BuyByInvoice({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization } = state
  const buying = useDialogSubmit(
    (body: Parameters<typeof api.quote.prepaid>[0], options) => api.quote.prepaid(body, options),
    ['quote', 'credit'],
    close,
  )
  const form = useShapedForm({
    shape: quote.prepaid.body,
    initialValues: { trainingName: '', amount: '' },
    bodyOf: ({ trainingName, amount }) => ({
      organization,
      ...(trainingName !== '' && { trainingName }),
      amount: rupeesIn(amount),
    }),
  })
  return (
    <FormDialog
      title="Buy Credit by Invoice"
      submit="Send Proforma Invoice"
      busy={buying.isPending && 'Sending...'}
      onSubmit={form.onSubmit((body) => buying.mutate(body))}
      close={close}
    >
      <p className="dim">
        A proforma invoice with the tax is mailed to the recipients of invoices and listed in Account, where admins can
        pay it online. The credit can be used when it is paid.
      </p>
      <CreditFor state={state} {...form.getInputProps('trainingName')} />
      <TextInput
        data-autofocus
        label="Credit (₹)"
        description="Before tax."
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
    </FormDialog>
  )
}
