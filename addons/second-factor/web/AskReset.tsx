import { TextInput } from '@mantine/core'
import { secondFactor } from '../contract/second-factor.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

export default function AskReset({ close }: { close: () => void }) {
  const asking = useDialogSubmit(api.secondFactor.askReset, ['secondFactor'], close)
  const form = useShapedForm({
    shape: secondFactor.askReset.body,
    initialValues: { email: '' },
    bodyOf: ({ email }) => ({ email: email.trim() }),
  })
  return (
    <FormDialog
      title="Reset a second factor"
      submit="Request a reset"
      busy={asking.isPending && 'Requesting...'}
      close={close}
      onSubmit={form.onSubmit((body) => asking.mutate(body))}
    >
      <p>
        For a user who lost their app, passkeys and recovery codes. Verify the user’s identity by another channel.
        Another superadmin must confirm the reset within 24 hours.
      </p>
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
    </FormDialog>
  )
}
