import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { SCIM_TOKEN_DAYS_DEFAULT } from '../contract/scim-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

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
  const [entered, setEntered] = useState('')
  const [days, setDays] = useState(String(SCIM_TOKEN_DAYS_DEFAULT))
  const [tried, setTried] = useState(false)
  const name = entered.trim()
  const creation = useAction(api.scim.createToken, {
    invalidates: ['scim'],
    onDone({ token }) {
      close()
      created(token)
    },
  })
  return (
    <FormDialog
      title="Create Token"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (name !== '') creation.mutate({ organization, name, days: Number(days) })
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="The identity provider that will use it, such as Entra ID"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        error={tried && name === '' && 'Enter a name.'}
        {...controlledText(entered, setEntered)}
      />
      <NativeSelect label="Expires after" data={LIFETIMES} {...controlledText(days, setDays)} />
    </FormDialog>
  )
}
