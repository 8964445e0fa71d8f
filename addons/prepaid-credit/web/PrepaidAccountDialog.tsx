import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { credit } from '../contract/credit.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, numberIn, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { PrepaidState } from './forecast.ts'

/** Sets up the prepaid credit of the organisation or of a training. */
export default function PrepaidAccountDialog({ state, close }: { state: PrepaidState; close: () => void }) {
  const { organization, accounts, trainings } = state
  const of = (trainingName: string) => accounts.find((each) => (each.trainingName ?? '') === trainingName)
  const settingsOf = (trainingName: string) => ({
    trainingName,
    low: formatRupeesInput((of(trainingName)?.lowPaise ?? 0) / 100),
    validDays: String(of(trainingName)?.validDays ?? ''),
    hardLimit: of(trainingName)?.hardLimit ?? of('')?.hardLimit ?? false,
  })
  const saving = useDialogSubmit(api.credit.setAccount, ['credit', 'machine'], close)
  const form = useShapedForm({
    shape: credit.setAccount.body,
    initialValues: settingsOf(''),
    bodyOf: ({ trainingName, low, validDays, hardLimit }) => ({
      organization,
      ...(trainingName !== '' && { trainingName }),
      hardLimit,
      low: low.trim() === '' ? 0 : rupeesIn(low),
      validDays: validDays.trim() === '' ? null : numberIn(validDays),
    }),
  })
  return (
    <FormDialog
      title="Set Up Credit"
      submit="Save Credit"
      busy={saving.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
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
        value={form.values.trainingName}
        onChange={({ currentTarget: { value } }) => form.setValues(settingsOf(value))}
      />
      <Checkbox
        label="Stop machines when the credit is used up"
        description="Orders and starts are refused until more credit is bought. Without credit, machines stop at once."
        {...form.getInputProps('hardLimit', { type: 'checkbox' })}
      />
      <TextInput
        label="Notify admins below (₹)"
        description="Before tax. 0: only when it is used up."
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('low')}
      />
      <TextInput
        label="Days valid"
        description="From the purchase. Leave empty if credit does not expire. Earlier purchases do not change."
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('validDays')}
      />
    </FormDialog>
  )
}
