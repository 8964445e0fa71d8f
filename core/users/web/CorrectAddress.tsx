import { TextInput } from '@mantine/core'
import { people } from '../contract/people.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'

/** Sends an invitation again, or to a corrected address. */
export type Invite = (
  body: { email: string; newEmail?: string },
  options?: { idempotencyKey: string },
) => Promise<{ message: string }>

export default function CorrectAddress({ email, invite, close }: { email: string; invite: Invite; close: () => void }) {
  const form = useShapedForm({
    shape: people.invite.body,
    initialValues: { newEmail: email },
    bodyOf: ({ newEmail }) => ({ email, newEmail: newEmail.trim() }),
  })
  const inviting = useDialogSubmit(invite, ['people', 'user', 'home'], close)
  return (
    <FormDialog
      title={`Correct ${email}`}
      submit="Save and Invite"
      busy={inviting.isPending && 'Saving...'}
      close={close}
      onSubmit={form.onSubmit((body) => inviting.mutate(body))}
    >
      <TextInput
        type="email"
        label="Email"
        description="Gets a new invitation and the machines of the old address."
        required
        autoComplete="off"
        {...form.getInputProps('newEmail')}
      />
    </FormDialog>
  )
}
