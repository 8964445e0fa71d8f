import { Textarea, TextInput } from '@mantine/core'
import { invoice } from '../contract/invoice.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { instantOf } from './portal-time.ts'

export default function Register({ number, close }: { number: string; close: () => void }) {
  const registering = useDialogSubmit(api.invoice.register, ['invoice'], close)
  const form = useShapedForm({
    shape: invoice.register.body,
    initialValues: { irn: '', ackNumber: '', ackDate: '', signedQr: '' },
    bodyOf: ({ irn, ackNumber, ackDate, signedQr }) => ({
      number,
      irn: irn.trim().toLowerCase(),
      ackNumber: ackNumber.trim(),
      ackDate: instantOf(ackDate),
      signedQr: signedQr.replaceAll(/\s/g, ''),
    }),
  })
  return (
    <FormDialog
      title={`Registration of ${number}`}
      submit="Record Registration"
      busy={registering.isPending && 'Recording...'}
      onSubmit={form.onSubmit((body) => registering.mutate(body))}
      close={close}
    >
      <TextInput label="IRN" autoComplete="off" {...form.getInputProps('irn')} />
      <TextInput
        label="Acknowledgement Number"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('ackNumber')}
      />
      <TextInput
        label="Acknowledged At (India)"
        type="datetime-local"
        step={1}
        autoComplete="off"
        {...form.getInputProps('ackDate')}
      />
      <Textarea
        label="Signed QR Code"
        description="The text that the portal sent."
        rows={4}
        autoComplete="off"
        {...form.getInputProps('signedQr')}
      />
    </FormDialog>
  )
}
