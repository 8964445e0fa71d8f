import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { newPasskey } from './passkey-of-browser.ts'
import { useConfirmed } from './useConfirmed.tsx'

interface AddPasskeyProps {
  /** Shows the recovery codes that come with a first factor. */
  made: (codes: readonly string[]) => void
  close: () => void
}

/** Names a passkey, and has the browser make it. */
export function AddPasskey({ made, close }: AddPasskeyProps) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const { confirmed, dialog } = useConfirmed()
  const name = typed.trim()
  const adding = useMutation({
    mutationFn: async () => {
      const { challenge, options } = await confirmed(() => api.passkey.begin())
      return api.passkey.add({ challenge, name, attestation: await newPasskey(options) })
    },
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      if (reply.recoveryCodes) made(reply.recoveryCodes)
      return invalidate('secondFactor', 'session', 'account')
    },
  })
  return (
    <>
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
          description="The device or keyring that holds it, such as Work laptop"
          autoComplete="off"
          maxLength={NAME_LENGTH}
          value={typed}
          error={(tried && name === '' && 'Enter a name.') || adding.error?.message}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </FormDialog>
      {dialog}
    </>
  )
}
