import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export function RenamePasskey({
  passkey: { _id, name },
  close,
}: {
  passkey: { _id: string; name: string }
  close: () => void
}) {
  const [entered, setEntered] = useState(name)
  const renaming = useDialogSubmit(api.passkey.rename, ['secondFactor'], close)
  return (
    <FormDialog
      title={`Rename ${name}`}
      submit="Rename"
      busy={renaming.isPending && 'Renaming...'}
      close={close}
      onSubmit={() => {
        if (entered.trim() !== '') renaming.mutate({ _id, name: entered.trim() })
      }}
    >
      <TextInput
        label="Name"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(entered, setEntered)}
        error={entered.trim() === '' && 'Enter a name.'}
      />
    </FormDialog>
  )
}
