import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { CreditFor } from '@trainyard/prepaid-credit/web/CreditFor.tsx'
import type { PrepaidState } from '@trainyard/prepaid-credit/web/forecast.ts'

/** Mails a proforma invoice whose payment becomes prepaid credit. */
export default function BuyByInvoice({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization } = state
  const [entered, setEntered] = useState({ trainingName: '', amount: '' })
  const [tried, setTried] = useState(false)
  const buying = useDialogSubmit(
    (body: Parameters<typeof api.quote.prepaid>[0], options) => api.quote.prepaid(body, options),
    ['quote', 'credit'],
    close,
  )
  const amount = parseRupees(entered.amount)
  const problems = { amount: (amount === null || amount <= 0) && numberProblem(entered.amount, ALERTS.amountRequired) }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (problems.amount !== false) return
    const { trainingName } = entered
    buying.mutate({ organization, ...(trainingName !== '' && { trainingName }), amount: amount! })
  }
  return (
    <FormDialog
      title="Buy Credit by Invoice"
      submit="Send Proforma Invoice"
      busy={buying.isPending && 'Sending...'}
      onSubmit={submit}
      close={close}
    >
      <p className="dim">
        A proforma invoice with the tax is mailed to the recipients of invoices and listed in Account, where admins can
        pay it online. The credit can be used when it is paid.
      </p>
      <CreditFor state={state} {...fieldOf('trainingName')} />
      <TextInput
        data-autofocus
        label="Credit (₹)"
        description="Before tax."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...fieldOf('amount')}
      />
    </FormDialog>
  )
}
