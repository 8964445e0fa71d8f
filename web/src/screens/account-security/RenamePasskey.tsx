import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'

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
