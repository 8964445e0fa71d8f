import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { createPasskey } from '#src/session/browser-passkey.ts'

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
