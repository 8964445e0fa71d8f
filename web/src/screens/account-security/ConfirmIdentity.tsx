import { Button, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { getPasskeyAssertion } from './browser-passkey.ts'

export default function ConfirmIdentity({ confirmed, close }: { confirmed: () => void; close: () => void }) {
  const [password, setPassword] = useState('')
  const { data } = useQuery(query(api.secondFactor.read))
  const ways = data?.confirmBy ?? ['password']
  const byPassword = useDedupedMutation({
    mutationFn: (body: { password: string }) => api.secondFactor.confirm(body),
    onSuccess: confirmed,
  })
  const byPasskey = useDedupedMutation({
    mutationFn: async () => {
      const { challenge, options } = await api.passkey.beginProof()
      return api.secondFactor.confirm({ challenge, assertion: await getPasskeyAssertion(options) })
    },
    onSuccess: confirmed,
  })
  const busy = byPassword.isPending || byPasskey.isPending
  const refused = byPassword.error ?? byPasskey.error
  return (
    <FormDialog
      title="Confirm that it is you"
      submit="Confirm"
      busy={busy && 'Confirming...'}
      close={close}
      onSubmit={() => {
        if (password !== '') byPassword.mutate({ password })
      }}
    >
      {ways.length === 0 && (
        <p>
          You sign in without a password here. <a href="/logout">Log out</a>, sign in again, and make the change within
          five minutes.
        </p>
      )}
      {ways.includes('password') && (
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          {...controlledText(password, setPassword)}
          error={byPassword.error?.message}
        />
      )}
      {ways.includes('passkey') && (
        <Button variant="default" disabled={busy} onClick={() => byPasskey.mutate()}>
          Use a passkey
        </Button>
      )}
      {refused !== null && refused !== byPassword.error && <p role="alert">{refused.message}</p>}
    </FormDialog>
  )
}
