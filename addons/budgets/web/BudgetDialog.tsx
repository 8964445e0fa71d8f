import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { type OrganisationQuery, rupees, type Subject } from './budget.ts'

export function BudgetDialog({
  organisationQuery,
  subject,
  close,
}: {
  organisationQuery: OrganisationQuery
  subject: Subject
  close: () => void
}) {
  const { name, trainingName, spending } = subject
  const { budget, spentPaise } = spending
  const [amount, setAmount] = useState(budget === null ? '' : formatRupeesInput(budget.amountPaise / 100))
  const [spendingCap, setSpendingCap] = useState(budget?.spendingCap ?? false)
  const [lastDay, setLastDay] = useState(budget?.lastDay ?? '')
  const [tried, setTried] = useState(false)
  const setting = useDialogSubmit(api.budget.set, ['budget'], close)
  const entered = parseRupees(amount)
  const isWrong = entered === null || entered <= 0
  const submit = () => {
    setTried(true)
    if (isWrong) return
    const lasts = trainingName === undefined || lastDay === '' ? null : lastDay
    setting.mutate({
      ...organisationQuery,
      ...(trainingName !== undefined && { trainingName }),
      amount: entered,
      spendingCap,
      lastDay: lasts,
    })
  }
  return (
    <FormDialog
      title={`Budget of ${name}`}
      submit="Save the Budget"
      busy={setting.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <TextInput
        data-autofocus
        label={trainingName === undefined ? 'Monthly amount (₹)' : 'Amount (₹)'}
        description={`Spent so far: ${rupees(spentPaise)}`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...controlledText(amount, setAmount)}
        error={tried && isWrong && <span role="alert">{numberProblem(amount, ALERTS.amountRequired)}</span>}
      />
      {trainingName !== undefined && (
        <TextInput
          label="Last day of the training"
          description="The budget should last until this day. Optional."
          type="date"
          {...controlledText(lastDay, setLastDay)}
        />
      )}
      <Checkbox
        label="Stop machines at 100 %"
        description="Running machines are stopped, and orders and starts are refused, until the budget is raised."
        {...controlledCheck(spendingCap, setSpendingCap)}
      />
      {spendingCap && !isWrong && entered * 100 <= spentPaise && (
        <p role="alert">More than this is already spent: running machines are stopped immediately.</p>
      )}
      <p className="dim">Admins are notified by mail at 50, 80, 90 and 100 %.</p>
    </FormDialog>
  )
}
