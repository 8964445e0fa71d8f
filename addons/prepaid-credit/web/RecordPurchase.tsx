import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { CreditFor } from './CreditFor.tsx'
import type { PrepaidState } from './forecast.ts'

/** Records a payment made outside the portal that buys prepaid credit. */
export default function RecordPurchase({ state, close }: { state: PrepaidState; close: () => void }) {
  const { timeZone } = useMe()
  const { organization } = state
  const [entered, setEntered] = useState(() => ({
    trainingName: '',
    id: '',
    amount: '',
    date: today(new Date(), timeZone),
  }))
  const [tried, setTried] = useState(false)
  const recording = useDialogSubmit(api.credit.record, ['credit', 'ledger', 'machine', 'home'], close)
  const amount = parseRupees(entered.amount)
  const problems = {
    ...(entered.id.trim() === '' && { id: ALERTS.paymentIdRequired }),
    ...((amount === null || amount <= 0) && { amount: numberProblem(entered.amount, ALERTS.amountRequired) }),
    ...(entered.date === '' && { date: ALERTS.dateRequired }),
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const { trainingName, id, date } = entered
    recording.mutate({
      organization,
      ...(trainingName !== '' && { trainingName }),
      id: id.trim(),
      amount: amount!,
      date,
    })
  }
  return (
    <FormDialog
      title="Record Purchase"
      submit="Record Purchase"
      busy={recording.isPending && 'Recording...'}
      onSubmit={submit}
      close={close}
    >
      <CreditFor state={state} {...fieldOf('trainingName')} />
      <TextInput data-autofocus label="Payment ID" autoComplete="off" maxLength={NAME_LENGTH} {...fieldOf('id')} />
      <TextInput
        label="Amount (₹)"
        description="The amount includes tax. It settles what the customer owes first. The rest becomes prepaid credit."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...fieldOf('amount')}
      />
      <TextInput label="Date" type="date" {...fieldOf('date')} />
    </FormDialog>
  )
}
