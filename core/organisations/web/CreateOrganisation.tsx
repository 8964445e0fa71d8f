import { TextInput } from '@mantine/core'
import { organisation } from '../contract/organisation.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export default function CreateOrganisation({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.organisation.create, ['organisation'], close)
  const form = useShapedForm({
    shape: organisation.create.body,
    initialValues: { organization: '' },
    bodyOf: ({ organization }) => ({ organization: organization.trim() }),
  })
  return (
    <FormDialog
      title="Create Organization"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={form.onSubmit((body) => creation.mutate(body))}
    >
      <TextInput label="Organization" autoComplete="off" {...form.getInputProps('organization')} />
    </FormDialog>
  )
}
