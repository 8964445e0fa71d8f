import { Button, Checkbox, PasswordInput, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import {
  providerChanges,
  formValuesOfProvider,
  isMoved,
  type Given,
  type Provider,
  type EnteredProvider,
} from './provider-form.ts'
import { SettingsForm } from '@trainyard/platform/web/forms/SettingsForm.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const loadShape = () =>
  import('../contract/identity-provider.ts').then(({ identityProvider }) => identityProvider.save.body)

export function ProviderForm({ organization, provider }: { organization: string; provider: Provider | null }) {
  const [entered, setEntered] = useState<Partial<EnteredProvider>>({})
  const [removing, setRemoving] = useState(false)
  const shown = { ...formValuesOfProvider(provider), ...entered }
  const type = (more: Partial<EnteredProvider>) => setEntered((now) => ({ ...now, ...more }))
  const field = (name: 'issuer' | 'clientId' | 'clientSecret' | 'groupClaim' | 'groups', problem: string | null) => ({
    autoComplete: 'off',
    error: problem,
    ...controlledText(shown[name], (text) => type({ [name]: text })),
  })
  const tick = (name: 'signsOutThere' | 'adminsNeedSecondFactor') =>
    controlledCheck(shown[name], (checked) => type({ [name]: checked }))
  return (
    <>
      <SettingsForm
        submit="Save Provider"
        changes={providerChanges(provider, shown)}
        shape={loadShape}
        send={(changes) => api.identityProvider.save({ organization, ...(changes as Given) })}
        saved={() => {
          setEntered({})
          void invalidate('identityProvider')
        }}
      >
        {(problemOf) => (
          <>
            <TextInput
              label="Issuer"
              description="The provider's address, exactly as the provider writes it: https://accounts.google.com, or https://login.microsoftonline.com/TENANT-ID/v2.0."
              inputMode="url"
              {...field('issuer', problemOf('issuer'))}
            />
            <TextInput label="Client ID" {...field('clientId', problemOf('clientId'))} />
            <PasswordInput
              label="Client Secret"
              description={
                provider === null || isMoved(provider, shown)
                  ? 'It is not shown again.'
                  : 'Leave empty to keep the saved secret.'
              }
              {...field('clientSecret', problemOf('clientSecret'))}
              autoComplete="new-password"
            />
            <TextInput
              label="Group Claim"
              description="The claim that lists a user's groups, such as groups or roles. Leave empty to ignore groups."
              {...field('groupClaim', problemOf('groupClaim'))}
            />
            <Textarea
              label="Groups"
              description="A line per group, with the role user or admin: lab-admins = admin. Other users get the role user."
              rows={3}
              {...field('groups', problemOf('groups'))}
            />
            <Checkbox
              label="Admins need a second factor there"
              description="The provider must report it as mfa in the claim amr. Check it with the test below."
              {...tick('adminsNeedSecondFactor')}
            />
            <Checkbox label="Logout ends the session at the provider too" {...tick('signsOutThere')} />
          </>
        )}
      </SettingsForm>
      {provider !== null && (
        <div className="row">
          <Button variant="default" onClick={() => setRemoving(true)}>
            Remove Provider
          </Button>
        </div>
      )}
      {removing && (
        <DeleteDialog
          name="sign-in provider"
          remove={() => api.identityProvider.remove({ organization })}
          invalidates={['identityProvider']}
          close={() => setRemoving(false)}
        >
          <p>Your users then sign in with passwords. Accounts do not change.</p>
        </DeleteDialog>
      )}
    </>
  )
}
