import { TextInput } from '@mantine/core'
import { credit, type PrepaidAccount } from '../contract/credit.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

interface AlertDialogProps {
  account: PrepaidAccount
  organization: string
  close: () => void
}

export default function AlertDialog({ account, organization, close }: AlertDialogProps) {
  const { trainingName, lowPaise } = account
  const saving = useDialogSubmit(api.credit.setAlert, ['credit'], close)
  const form = useShapedForm({
    shape: credit.setAlert.body,
    initialValues: { low: formatRupeesInput(lowPaise / 100) },
    bodyOf: ({ low }) => ({
      organization,
      ...(trainingName !== null && { trainingName }),
      low: low.trim() === '' ? 0 : rupeesIn(low),
    }),
  })
  return (
    <FormDialog
      title={`Alert for ${trainingName ?? organization}`}
      submit="Save Alert"
      busy={saving.isPending && 'Saving...'}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Notify admins below (₹)"
        description="Before tax. 0: only when it is used up."
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('low')}
      />
    </FormDialog>
  )
}
