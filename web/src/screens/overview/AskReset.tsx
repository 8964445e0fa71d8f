import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isEmail } from '@trainyard/contract/words/email.ts'
import { api } from '#src/api/client.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { useCreation } from '#src/forms/useCreation.ts'

/** Asks for somebody's second factors to be removed. */
export default function AskReset({ close }: { close: () => void }) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const asking = useCreation(api.secondFactor.askReset, ['secondFactor'], close)
  const email = typed.trim()
  return (
    <FormDialog
      title="Reset a second factor"
      submit="Ask for a reset"
      busy={asking.isPending && 'Asking...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (isEmail(email)) asking.mutate({ email })
      }}
    >
      <p>
        For somebody who lost their app, passkeys and recovery codes. Make sure by another way that it is they who ask.
        Another superadmin must confirm it within 24 hours.
      </p>
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        value={typed}
        error={tried && !isEmail(email) && 'Enter an e-mail address such as name@example.com.'}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
