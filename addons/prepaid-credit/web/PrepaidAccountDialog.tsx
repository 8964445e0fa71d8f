import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PREPAID_DAYS_MAX } from '../contract/credit-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import type { PrepaidState } from './forecast.ts'

/** Sets up the prepaid credit of the organisation or of a training. */
export default function PrepaidAccountDialog({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization, accounts, trainings } = state
  const of = (trainingName: string) => accounts.find((each) => (each.trainingName ?? '') === trainingName)
  const settingsOf = (trainingName: string) => ({
    trainingName,
    low: formatRupeesInput((of(trainingName)?.lowPaise ?? 0) / 100),
    days: String(of(trainingName)?.validDays ?? ''),
  })
  const [entered, setEntered] = useState(() => settingsOf(''))
  const [hardLimit, setHardLimit] = useState(of('')?.hardLimit ?? false)
  const [tried, setTried] = useState(false)
  const saving = useDialogSubmit(api.credit.setAccount, ['credit', 'machine'], close)
  const low = entered.low.trim() === '' ? 0 : parseRupees(entered.low)
  const days = entered.days.trim() === '' ? null : Number(entered.days)
  const problems = {
    ...((low === null || low < 0) && { low: numberProblem(entered.low, ALERTS.amountRequired) }),
    ...(days !== null &&
      !(Number.isInteger(days) && days >= 1 && days <= PREPAID_DAYS_MAX) && {
        days: `Enter days, 1 to ${PREPAID_DAYS_MAX}, or leave it empty.`,
      }),
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    saving.mutate({
      organization,
      ...(entered.trainingName !== '' && { trainingName: entered.trainingName }),
      hardLimit,
      low: low!,
      validDays: days,
    })
  }
  return (
    <FormDialog
      title="Set Up Credit"
      submit="Save Credit"
      busy={saving.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Credit for"
        description="A training with credit of its own does not use the credit of the organisation."
        data={[
          { value: '', label: `${organization}, all other trainings` },
          ...trainings.map((name) => ({ value: name, label: name })),
        ]}
        value={entered.trainingName}
        onChange={({ currentTarget: { value } }) => {
          setEntered(settingsOf(value))
          setHardLimit(of(value)?.hardLimit ?? of('')?.hardLimit ?? false)
        }}
      />
      <Checkbox
        label="Stop machines when the credit is used up"
        description="Orders and starts are refused until more credit is bought. Without credit, machines stop at once."
        {...controlledCheck(hardLimit, setHardLimit)}
      />
      <TextInput
        label="Notify admins below (₹)"
        description="Before tax. 0: only when it is used up."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...fieldOf('low')}
      />
      <TextInput
        label="Days valid"
        description="From the purchase. Leave empty if credit does not expire. Earlier purchases do not change."
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        {...fieldOf('days')}
      />
    </FormDialog>
  )
}
