import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'

export default function CorrectAddress({ email, close }: { email: string; close: () => void }) {
  const [typed, setTyped] = useState(email)
  const inviting = useDialogSubmit(api.people.invite, ['people', 'user', 'home'], close)
  return (
    <FormDialog
      title={`Correct ${email}`}
      submit="Save and Invite"
      busy={inviting.isPending && 'Saving...'}
      close={close}
      onSubmit={() => inviting.mutate({ email, newEmail: typed.trim() })}
    >
      <TextInput
        type="email"
        label="Email"
        description="Gets a new invitation and the machines of the old address."
        required
        autoComplete="off"
        {...controlledText(typed, setTyped)}
      />
    </FormDialog>
  )
}
