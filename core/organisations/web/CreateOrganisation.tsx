import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export default function CreateOrganisation({ close }: { close: () => void }) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const creation = useDialogSubmit(api.organisation.create, ['organisation'], close)
  const organization = name.trim()
  return (
    <FormDialog
      title="Create Organization"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (organization !== '') creation.mutate({ organization })
      }}
    >
      <TextInput
        label="Organization"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(name, setName)}
        error={tried && organization === '' && 'Enter a name.'}
      />
    </FormDialog>
  )
}
