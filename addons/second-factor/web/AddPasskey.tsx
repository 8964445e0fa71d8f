import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { createPasskey } from './browser-passkey.ts'

interface AddPasskeyProps {
  made: (codes: readonly string[]) => void
  close: () => void
}

export function AddPasskey({ made, close }: AddPasskeyProps) {
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const name = entered.trim()
  const adding = useDedupedMutation({
    mutationFn: async () => {
      const { challenge, options } = await api.passkey.begin()
      return api.passkey.add({ challenge, name, attestation: await createPasskey(options) })
    },
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      if (reply.recoveryCodes) made(reply.recoveryCodes)
      return invalidate('secondFactor', 'session', 'account')
    },
  })
  return (
    <FormDialog
      title="Add a passkey"
      submit="Add"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (name !== '') adding.mutate()
      }}
    >
      <TextInput
        label="Name"
        description="The device or keyring that stores it, such as Work laptop"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(entered, setEntered)}
        error={(tried && name === '' && 'Enter a name.') || adding.error?.message}
      />
    </FormDialog>
  )
}
