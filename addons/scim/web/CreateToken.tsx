import { NativeSelect, TextInput } from '@mantine/core'
import { scim } from '../contract/scim.ts'
import { SCIM_TOKEN_DAYS_DEFAULT } from '../contract/scim-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'

const LIFETIMES = [
  { value: '90', label: '90 days' },
  { value: String(SCIM_TOKEN_DAYS_DEFAULT), label: 'A year' },
  { value: '730', label: '2 years' },
]

interface CreateTokenProps {
  organization: string
  close: () => void
  created: (token: string) => void
}

export default function CreateToken({ organization, close, created }: CreateTokenProps) {
  const creation = useAction(api.scim.createToken, {
    invalidates: ['scim'],
    onDone({ token }) {
      close()
      created(token)
    },
  })
  const form = useShapedForm({
    shape: scim.createToken.body,
    initialValues: { name: '', days: String(SCIM_TOKEN_DAYS_DEFAULT) },
    bodyOf: ({ name, days }) => ({ organization, name: name.trim(), days: Number(days) }),
  })
  return (
    <FormDialog
      title="Create Token"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={form.onSubmit((body) => creation.mutate(body))}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="The identity provider that will use it, such as Entra ID"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <NativeSelect label="Expires after" data={LIFETIMES} {...form.getInputProps('days')} />
    </FormDialog>
  )
}
