import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useState } from 'react'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { ASSIGNABLE_ROLES, type AssignableRole } from '@trainyard/platform/contract/words/role.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export default function CreateUser({ close }: { close: () => void }) {
  const [entered, setEntered] = useState('')
  const [password, setPassword] = useState('')
  const [organization, setOrganization] = useState('')
  const [userType, setUserType] = useState<AssignableRole>('admin')
  const [tried, setTried] = useState<'create' | 'invite' | null>(null)
  const creation = useDialogSubmit(api.user.create, ['user'], close)
  const invitation = useDialogSubmit(api.user.invite, ['user'], close)

  const email = entered.trim()
  const problems = {
    email: !isEmail(email) && 'Enter an e-mail address such as name@example.com.',
    password:
      tried !== 'invite' &&
      password.length < PASSWORD_LENGTH_MIN &&
      `Enter at least ${PASSWORD_LENGTH_MIN} characters.`,
    organization: organization === '' && 'Select an organisation.',
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
        onClick: () => {
          setTried('invite')
          if (!problems.email && !problems.organization) invitation.mutate({ email, organization, userType })
        },
      }}
      onSubmit={() => {
        setTried('create')
        if (problems.email || password.length < PASSWORD_LENGTH_MIN || problems.organization) return
        creation.mutate({ email, password, organization, userType })
      }}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        {...controlledText(entered, setEntered)}
        error={tried !== null && problems.email}
      />
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        {...controlledText(password, setPassword)}
        error={tried !== null && problems.password}
      />
      <OrganisationField
        label="Organization"
        {...controlledText(organization, setOrganization)}
        error={tried !== null && problems.organization}
      />
      <NativeSelect label="User Type" data={ASSIGNABLE_ROLES} {...controlledText(userType, setUserType)} />
    </FormDialog>
  )
}
