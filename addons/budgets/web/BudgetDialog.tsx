import { Checkbox, TextInput } from '@mantine/core'
import { budget as budgetCalls } from '../contract/budget.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { Ahead } from '@trainyard/usage/web/Ahead.tsx'
import { type OrganisationQuery, rupees, type Subject } from './budget.ts'

export default function BudgetDialog({
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
  const setting = useDialogSubmit(api.budget.set, ['budget'], close)
  const form = useShapedForm({
    shape: budgetCalls.set.body,
    initialValues: {
      amount: budget === null ? '' : formatRupeesInput(budget.amountPaise / 100),
      spendingCap: budget?.spendingCap ?? false,
    },
    bodyOf: ({ amount, spendingCap }) => ({
      ...organisationQuery,
      ...(trainingName !== undefined && { trainingName }),
      amount: rupeesIn(amount),
      spendingCap,
    }),
  })
  const { amount, spendingCap } = form.getTransformedValues()
  return (
    <FormDialog
      title={`Budget of ${name}`}
      submit="Save the Budget"
      busy={setting.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => setting.mutate(body))}
      close={close}
    >
      <TextInput
        data-autofocus
        label={trainingName === undefined ? 'Monthly amount (₹)' : 'Amount (₹)'}
        description={`Spent so far: ${rupees(spentPaise)}`}
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      <Checkbox
        label="Stop machines at 100 %"
        description="Running machines are stopped, and orders and starts are refused, until the budget is raised."
        {...form.getInputProps('spendingCap', { type: 'checkbox' })}
      />
      {spendingCap && amount > 0 && amount * 100 <= spentPaise && (
        <p role="alert">More than this is already spent: running machines are stopped immediately.</p>
      )}
      {trainingName !== undefined && amount > 0 && (
        <Ahead {...organisationQuery} trainingName={trainingName} budgetPaise={Math.round(amount * 100)} />
      )}
      <p className="dim">Admins are notified by mail at 50, 80, 90 and 100 %.</p>
    </FormDialog>
  )
}
