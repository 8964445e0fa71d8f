import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { AskForm } from './AskForm.tsx'

export default function AskAdmin({ close }: { close: () => void }) {
  const [entered, setEntered] = useState('')
  const email = normaliseEmail(entered)
  return (
    <AskForm
      title="Request an Admin"
      isValid={isEmail(email)}
      send={({ reason }) => api.changeRequest.askAdmin({ email, reason })}
      close={close}
    >
      {(tried) => (
        <TextInput
          data-autofocus
          label="New admin’s e-mail"
          type="email"
          autoComplete="off"
          {...controlledText(entered, setEntered)}
          error={
            tried && !isEmail(email) && <span role="alert">Enter an e-mail address such as name@example.com.</span>
          }
        />
      )}
    </AskForm>
  )
}
