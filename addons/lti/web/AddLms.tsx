import { TextInput } from '@mantine/core'
import { lms } from '../contract/lms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import type { RegistrationLink } from './Registration.tsx'

interface AddLmsProps {
  organisationQuery: { readonly organization?: string }
  added: (link: RegistrationLink) => void
  close: () => void
}

export default function AddLms({ organisationQuery, added, close }: AddLmsProps) {
  const form = useShapedForm({
    shape: lms.create.body,
    initialValues: { name: '' },
    bodyOf: ({ name }) => ({ ...organisationQuery, name: name.trim() }),
  })
  const adding = useAction(api.lms.create, {
    invalidates: ['lms'],
    onDone: (reply) => {
      added(reply)
      close()
    },
  })
  return (
    <FormDialog
      title="Add LMS"
      submit="Add"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={form.onSubmit((body) => adding.mutate(body))}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="For example Moodle, or the name of the campus."
        autoComplete="off"
        maxLength={100}
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
