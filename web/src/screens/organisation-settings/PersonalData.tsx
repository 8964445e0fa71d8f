import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useAction } from '#src/api/useAction.ts'
import { SavePersonalData } from '#src/forms/SavePersonalData.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'

/** Exports and erases a person's data. */
export default function PersonalData({ email, close }: { email: string; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const isNamed = typed.trim().toLowerCase() === email
  const erasing = useAction(() => api.privacy.erase({ email }), {
    invalidates: ['people', 'privacy', 'user'],
    onDone: close,
  })
  return (
    <ConfirmDialog
      title={`Data of ${email}`}
      confirm="Erase the data"
      busy={erasing.isPending && 'Erasing...'}
      destroys
      onConfirm={() => {
        setTried(true)
        if (isNamed && !erasing.isPending) erasing.mutate()
      }}
      close={close}
    >
      <SavePersonalData email={email} />
      <p>
        Erasing closes the account at once and replaces the name and the address everywhere, also in the audit. Usage
        and invoices stay. This cannot be undone.
      </p>
      <TextInput
        label="Type the e-mail address to confirm"
        placeholder={email}
        autoComplete="off"
        error={tried && !isNamed && <span role="alert">Type {email} to confirm.</span>}
        {...controlledText(typed, setTyped)}
      />
    </ConfirmDialog>
  )
}
