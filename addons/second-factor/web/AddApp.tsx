import { TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { renderSVG } from 'uqr'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { secondFactor } from '../contract/second-factor.ts'
import { APP_CODE } from '../contract/second-factor-words.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './SecondFactor.module.css'

type FirstCode = BodyOf<typeof secondFactor.addApp>

interface AddAppProps {
  setup: ReplyOf<typeof secondFactor.beginApp>
  added: (reply: ReplyOf<typeof secondFactor.addApp>) => void
  close: () => void
}

export default function AddApp({ setup, added, close }: AddAppProps) {
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const adding = useDedupedMutation({
    mutationFn: (body: FirstCode) => api.secondFactor.addApp(body),
    onSuccess: added,
  })
  const digits = normaliseTypedCode(code)
  const malformed = tried && !APP_CODE.test(digits) && 'Enter the 6 digits that the app shows.'
  return (
    <FormDialog
      title="Set up an authenticator app"
      submit="Add the app"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (APP_CODE.test(digits)) adding.mutate({ setup: setup.setup, code: digits })
      }}
    >
      <p>Scan the code with an authenticator app on your phone, or type the secret into the app.</p>
      <QrCode text={setup.uri} />
      <p className={styles.secret}>
        Secret: <code>{setup.secret}</code> <CopyButton text={setup.secret} label="Copy the secret" />
      </p>
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        {...controlledText(code, setCode)}
        error={malformed || adding.error?.message}
      />
    </FormDialog>
  )
}

function QrCode({ text }: { text: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`, [text])
  return <img className={styles.code} src={source} alt="QR code of the secret" />
}
