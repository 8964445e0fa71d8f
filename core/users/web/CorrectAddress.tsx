import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

/** Sends an invitation again, or to a corrected address. */
export type Invite = (
  body: { email: string; newEmail?: string },
  options?: { idempotencyKey: string },
) => Promise<{ message: string }>

export default function CorrectAddress({ email, invite, close }: { email: string; invite: Invite; close: () => void }) {
  const [entered, setEntered] = useState(email)
  const inviting = useDialogSubmit(invite, ['people', 'user', 'home'], close)
  return (
    <FormDialog
      title={`Correct ${email}`}
      submit="Save and Invite"
      busy={inviting.isPending && 'Saving...'}
      close={close}
      onSubmit={() => inviting.mutate({ email, newEmail: entered.trim() })}
    >
      <TextInput
        type="email"
        label="Email"
        description="Gets a new invitation and the machines of the old address."
        required
        autoComplete="off"
        {...controlledText(entered, setEntered)}
      />
    </FormDialog>
  )
}
