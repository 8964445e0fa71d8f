import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOK_RESEND_MAX } from '../contract/webhook-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const RANGES = [
  { value: 'failed', label: 'Failed deliveries' },
  { value: 'all', label: 'All deliveries' },
]

/** Sends the deliveries since a time again. */
export default function ResendForm({ id, close }: { id: string; close: () => void }) {
  const [range, setRange] = useState('failed')
  const [hours, setHours] = useState('24')
  const resend = useAction(api.webhook.resend, { invalidates: ['webhook'], onDone: close })
  const isValid = /^[1-9][0-9]{0,2}$/.test(hours)
  return (
    <FormDialog
      title="Send again"
      submit="Send"
      busy={resend.isPending && 'Sending...'}
      close={close}
      onSubmit={() => {
        if (!isValid) return
        const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString()
        resend.mutate({ range: range === 'all' ? 'all' : 'failed', id, since })
      }}
    >
      <p>
        The requests have the same webhook-id as before, so that your program can recognise events that it has already
        processed. At most {WEBHOOK_RESEND_MAX.toLocaleString('en-IN')} are sent at once, the oldest first.
      </p>
      <NativeSelect label="Deliveries" data={RANGES} {...controlledText(range, setRange)} />
      <TextInput
        label="Of the last hours"
        inputMode="numeric"
        error={!isValid && 'Enter a number of hours, 1 to 999.'}
        {...controlledText(hours, setHours)}
      />
    </FormDialog>
  )
}
