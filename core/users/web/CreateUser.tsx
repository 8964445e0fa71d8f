import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { user } from '../contract/user.ts'
import { ASSIGNABLE_ROLES } from '@trainyard/platform/contract/words/role.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

const INITIAL: { email: string; password: string; organization: string; userType: (typeof ASSIGNABLE_ROLES)[number] } =
  {
    email: '',
    password: '',
    organization: '',
    userType: 'admin',
  }

export default function CreateUser({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.user.create, ['user'], close)
  const invitation = useDialogSubmit(api.user.invite, ['user'], close)
  const form = useShapedForm({
    shape: user.create.body,
    initialValues: INITIAL,
    bodyOf: ({ email, ...entered }) => ({ ...entered, email: email.trim() }),
  })
  const invite = () => {
    const { password: _, ...body } = form.getTransformedValues()
    form.sendAs(user.invite.body, body, (asked) => invitation.mutate(asked))
  }
  return (
    <FormDialog
      title="Create User"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      beside={{
        label: 'Invite instead',
        busy: invitation.isPending && 'Inviting...',
        onClick: invite,
      }}
      onSubmit={form.onSubmit((body) => creation.mutate(body))}
    >
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <OrganisationField label="Organization" {...form.getInputProps('organization')} />
      <NativeSelect label="User Type" data={ASSIGNABLE_ROLES} {...form.getInputProps('userType')} />
    </FormDialog>
  )
}
