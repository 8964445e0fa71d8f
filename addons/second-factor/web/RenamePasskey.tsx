import { TextInput } from '@mantine/core'
import { passkey as passkeyCalls } from '../contract/second-factor.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

export default function RenamePasskey({
  passkey: { _id, name },
  close,
}: {
  passkey: { _id: string; name: string }
  close: () => void
}) {
  const renaming = useDialogSubmit(api.passkey.rename, ['secondFactor'], close)
  const form = useShapedForm({
    shape: passkeyCalls.rename.body,
    initialValues: { name },
    bodyOf: (entered) => ({ _id, name: entered.name.trim() }),
  })
  return (
    <FormDialog
      title={`Rename ${name}`}
      submit="Rename"
      busy={renaming.isPending && 'Renaming...'}
      close={close}
      onSubmit={form.onSubmit((body) => renaming.mutate(body))}
    >
      <TextInput label="Name" autoComplete="off" {...form.getInputProps('name')} />
    </FormDialog>
  )
}
