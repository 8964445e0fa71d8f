import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { SavePersonalData } from './SavePersonalData.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

/** Exports and erases a person's data. */
export default function PersonalData({ email, close }: { email: string; close: () => void }) {
  const me = useMe()
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const isNamed = entered.trim().toLowerCase() === email
  const erasing = useAction(() => api.privacy.erase({ email }), {
    invalidates: ['people', 'privacy', 'user'],
    onDone: close,
  })
  const title = `Data of ${email}`
  const save = (
    <>
      <h3>Export</h3>
      <p>Save a file with the data that the portal stores about this user.</p>
      <SavePersonalData email={email} />
    </>
  )
  if (email === me.email) {
    return (
      <Dialog title={title} close={close}>
        {save}
        <h3>Erasure</h3>
        <p>You cannot erase your own data. Ask another admin to do it.</p>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={title}
      confirm="Erase the data"
      busy={erasing.isPending && 'Erasing...'}
      destroys
      onConfirm={() => {
        setTried(true)
        if (isNamed && !erasing.isPending) erasing.mutate()
      }}
      close={close}
    >
      {save}
      <h3>Erasure</h3>
      <p>
        The account is closed at once. Within minutes, the name and the address are replaced by a pseudonym everywhere,
        also in the audit. Usage and invoices stay. This cannot be undone.
      </p>
      <TextInput
        label="Type the e-mail address to confirm"
        placeholder={email}
        autoComplete="off"
        error={tried && !isNamed && <span role="alert">Type {email} to confirm.</span>}
        {...controlledText(entered, setEntered)}
      />
    </ConfirmDialog>
  )
}
