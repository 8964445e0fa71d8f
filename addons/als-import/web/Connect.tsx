import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { labImport } from '../contract/lab-import.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'

export default function Connect({
  organisationQuery,
  close,
}: {
  organisationQuery: { organization?: string }
  close: () => void
}) {
  const isSuperadmin = useMe().role === 'superadmin'
  const [own, setOwn] = useState(isSuperadmin)
  const connecting = useDialogSubmit(api.labImport.connect, ['labImport'], close)
  const form = useShapedForm({
    shape: labImport.connect.body,
    initialValues: { subscriptionId: '', principal: { tenantId: '', clientId: '', clientSecret: '' } },
    bodyOf: ({ subscriptionId, principal: { tenantId, clientId, clientSecret } }) => ({
      ...organisationQuery,
      subscriptionId: subscriptionId.trim(),
      principal: own ? null : { tenantId: tenantId.trim(), clientId: clientId.trim(), clientSecret },
    }),
  })
  return (
    <FormDialog
      title="Connect to Azure"
      submit="Read the Labs"
      busy={connecting.isPending && 'Connecting...'}
      onSubmit={form.onSubmit((body) => connecting.mutate(body))}
      close={close}
    >
      {!own && (
        <p>
          Create an app registration in your directory and give it the role Reader on the subscription of your labs. The
          secret is stored encrypted and is deleted with the import.
        </p>
      )}
      <TextInput data-autofocus label="Subscription ID" autoComplete="off" {...form.getInputProps('subscriptionId')} />
      {isSuperadmin && <Checkbox label="Use the portal’s own app registration" {...controlledCheck(own, setOwn)} />}
      {!own && (
        <>
          <TextInput label="Directory (tenant) ID" autoComplete="off" {...form.getInputProps('principal.tenantId')} />
          <TextInput label="Application (client) ID" autoComplete="off" {...form.getInputProps('principal.clientId')} />
          <PasswordInput label="Client secret" autoComplete="off" {...form.getInputProps('principal.clientSecret')} />
        </>
      )}
    </FormDialog>
  )
}
