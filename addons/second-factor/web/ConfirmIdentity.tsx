import { Button, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { getPasskeyAssertion } from './browser-passkey.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

/**
 * Requests the second factor, or the password of a user without one, before a change of how users sign in. Renders
 * nothing until the server has replied which confirmations this user can give.
 */
export default function ConfirmIdentity({ confirmed, close }: { confirmed: () => void; close: () => void }) {
  const [entered, setEntered] = useState('')
  const factors = useQuery({ ...query(api.secondFactor.read), staleTime: 0 })
  const byEntry = useDedupedMutation({
    mutationFn: (body: { password: string } | { code: string }) => api.secondFactor.confirm(body),
    onSuccess: confirmed,
  })
  const byPasskey = useDedupedMutation({
    mutationFn: async () => {
      const { challenge, options } = await api.passkey.beginProof()
      return api.secondFactor.confirm({ challenge, assertion: await getPasskeyAssertion(options) })
    },
    onSuccess: confirmed,
  })
  if (!factors.isFetchedAfterMount) return null
  const ways = factors.data?.confirmBy ?? ['password']
  const busy = byEntry.isPending || byPasskey.isPending
  return (
    <FormDialog
      title="Confirm that it is you"
      submit="Confirm"
      busy={busy && 'Confirming...'}
      close={close}
      onSubmit={() => {
        if (entered !== '') byEntry.mutate(ways.includes('code') ? { code: entered } : { password: entered })
      }}
    >
      {ways.length === 0 && (
        <p>
          Your organisation’s provider did not confirm a second factor, and you have no other proof here.{' '}
          <a href="/logout">Log out</a>, sign in with a second factor, and make the change within five minutes. If your
          provider asks for none, ask a superadmin to make it.
        </p>
      )}
      {ways.includes('password') && (
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          {...controlledText(entered, setEntered)}
          error={byEntry.error?.message}
        />
      )}
      {ways.includes('code') && (
        <TextInput
          label="Code"
          description="From your authenticator app, or a recovery code"
          autoComplete="one-time-code"
          {...controlledText(entered, setEntered)}
          error={byEntry.error?.message}
        />
      )}
      {ways.includes('passkey') && (
        <Button variant="default" disabled={busy} onClick={() => byPasskey.mutate()}>
          Use a passkey
        </Button>
      )}
      {byPasskey.error !== null && <p role="alert">{byPasskey.error.message}</p>}
    </FormDialog>
  )
}
