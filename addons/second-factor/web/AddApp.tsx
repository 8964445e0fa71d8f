import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { renderSVG } from 'uqr'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { secondFactor } from '../contract/second-factor.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import styles from './SecondFactor.module.css'

interface AddAppProps {
  setup: ReplyOf<typeof secondFactor.beginApp>
  added: (reply: ReplyOf<typeof secondFactor.addApp>) => void
  close: () => void
}

export default function AddApp({ setup, added, close }: AddAppProps) {
  const adding = useDedupedMutation({
    mutationFn: (body: BodyOf<typeof secondFactor.addApp>) => api.secondFactor.addApp(body),
    onSuccess: added,
  })
  const form = useShapedForm({
    shape: secondFactor.addApp.body,
    initialValues: { code: '' },
    bodyOf: ({ code }) => ({ setup: setup.setup, code }),
  })
  return (
    <FormDialog
      title="Set up an authenticator app"
      submit="Add the app"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={form.onSubmit((body) => adding.mutate(body))}
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
        {...form.getInputProps('code')}
        error={form.errors['code'] ?? adding.error?.message}
      />
    </FormDialog>
  )
}

function QrCode({ text }: { text: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`, [text])
  return <img className={styles.code} src={source} alt="QR code of the secret" />
}
