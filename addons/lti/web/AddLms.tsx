import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import type { RegistrationLink } from './Registration.tsx'

interface AddLmsProps {
  organisationQuery: { readonly organization?: string }
  added: (link: RegistrationLink) => void
  close: () => void
}

export default function AddLms({ organisationQuery, added, close }: AddLmsProps) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const adding = useAction((given: string) => api.lms.create({ ...organisationQuery, name: given }), {
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
      onSubmit={() => {
        setTried(true)
        if (name.trim() !== '') adding.mutate(name.trim())
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="For example Moodle, or the name of the campus."
        autoComplete="off"
        maxLength={100}
        error={tried && name.trim() === '' && 'Must not be empty.'}
        {...controlledText(name, setName)}
      />
    </FormDialog>
  )
}
