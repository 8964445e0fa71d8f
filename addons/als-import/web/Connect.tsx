import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NOT_AN_ID = 'Enter an ID such as 1a2b3c4d-0000-4000-8000-1234567890ab.'

export default function Connect({
  organisationQuery,
  close,
}: {
  organisationQuery: { organization?: string }
  close: () => void
}) {
  const isSuperadmin = useMe().role === 'superadmin'
  const [entered, setEntered] = useState({ subscriptionId: '', tenantId: '', clientId: '', clientSecret: '' })
  const [own, setOwn] = useState(isSuperadmin)
  const [tried, setTried] = useState(false)
  const connecting = useDialogSubmit(api.labImport.connect, ['labImport'], close)
  const wrong = (id: string) => !GUID.test(id.trim()) && NOT_AN_ID
  const problems = {
    subscriptionId: wrong(entered.subscriptionId),
    tenantId: !own && wrong(entered.tenantId),
    clientId: !own && wrong(entered.clientId),
    clientSecret: !own && entered.clientSecret === '' && 'Enter the client secret.',
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.values(problems).some(Boolean)) return
    const [subscriptionId, tenantId, clientId] = [entered.subscriptionId, entered.tenantId, entered.clientId].map(
      (id) => id.trim(),
    ) as [string, string, string]
    const principal = own ? null : { tenantId, clientId, clientSecret: entered.clientSecret }
    connecting.mutate({ ...organisationQuery, subscriptionId, principal })
  }
  return (
    <FormDialog
      title="Connect to Azure"
      submit="Read the Labs"
      busy={connecting.isPending && 'Connecting...'}
      onSubmit={submit}
      close={close}
    >
      {!own && (
        <p>
          Create an app registration in your directory and give it the role Reader on the subscription of your labs. The
          secret is stored encrypted and is deleted with the import.
        </p>
      )}
      <TextInput data-autofocus label="Subscription ID" autoComplete="off" {...fieldOf('subscriptionId')} />
      {isSuperadmin && <Checkbox label="Use the portal’s own app registration" {...controlledCheck(own, setOwn)} />}
      {!own && (
        <>
          <TextInput label="Directory (tenant) ID" autoComplete="off" {...fieldOf('tenantId')} />
          <TextInput label="Application (client) ID" autoComplete="off" {...fieldOf('clientId')} />
          <PasswordInput label="Client secret" autoComplete="off" {...fieldOf('clientSecret')} />
        </>
      )}
    </FormDialog>
  )
}
