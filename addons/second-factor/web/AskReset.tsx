import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export default function AskReset({ close }: { close: () => void }) {
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const asking = useDialogSubmit(api.secondFactor.askReset, ['secondFactor'], close)
  const email = entered.trim()
  return (
    <FormDialog
      title="Reset a second factor"
      submit="Request a reset"
      busy={asking.isPending && 'Requesting...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (isEmail(email)) asking.mutate({ email })
      }}
    >
      <p>
        For a user who lost their app, passkeys and recovery codes. Verify the user’s identity by another channel.
        Another superadmin must confirm the reset within 24 hours.
      </p>
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        {...controlledText(entered, setEntered)}
        error={tried && !isEmail(email) && 'Enter an e-mail address such as name@example.com.'}
      />
    </FormDialog>
  )
}
