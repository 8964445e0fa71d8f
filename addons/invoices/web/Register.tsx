import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const EMPTY = { irn: '', ackNumber: '', ackDate: '', signedQr: '' }

export default function Register({ number, close }: { number: string; close: () => void }) {
  const [entered, setEntered] = useState(EMPTY)
  const [tried, setTried] = useState(false)
  const registering = useDialogSubmit(api.invoice.register, ['invoice'], close)
  const field = (name: keyof typeof EMPTY) => ({
    autoComplete: 'off',
    error: tried && entered[name].trim() === '' && 'Required.',
    ...controlledText(entered[name], (text) => setEntered((now) => ({ ...now, [name]: text }))),
  })
  const submit = () => {
    setTried(true)
    if (Object.values(entered).some((text) => text.trim() === '')) return
    registering.mutate({
      number,
      irn: entered.irn.trim().toLowerCase(),
      ackNumber: entered.ackNumber.trim(),
      // The e-invoice portal reports Indian time.
      ackDate: new Date(`${entered.ackDate}+05:30`).toISOString(),
      signedQr: entered.signedQr.replaceAll(/\s/g, ''),
    })
  }
  return (
    <FormDialog
      title={`Registration of ${number}`}
      submit="Record Registration"
      busy={registering.isPending && 'Recording...'}
      onSubmit={submit}
      close={close}
    >
      <TextInput label="IRN" {...field('irn')} />
      <TextInput label="Acknowledgement Number" inputMode="numeric" {...field('ackNumber')} />
      <TextInput label="Acknowledged At (India)" type="datetime-local" step={1} {...field('ackDate')} />
      <Textarea label="Signed QR Code" description="The text that the portal sent." rows={4} {...field('signedQr')} />
    </FormDialog>
  )
}
