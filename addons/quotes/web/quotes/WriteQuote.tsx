import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { useState } from 'react'
import { quote } from '../../contract/quote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { BLANK_LINE, LineFields, readLine } from '@trainyard/invoices/web/LineFields.tsx'

const DAYS = 30

export default function WriteQuote({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const [validUntil] = useState(() => today(new Date(Date.now() + DAYS * 86_400_000), timeZone))
  const form = useShapedForm({
    shape: quote.create.body,
    initialValues: { organization: '', validUntil, lines: [BLANK_LINE] },
    bodyOf: (entered) => ({ ...entered, lines: entered.lines.map(readLine) }),
  })
  const sending = useDialogSubmit(api.quote.create, ['quote'], close)
  return (
    <FormDialog
      title="Quote"
      submit="Send Quote"
      wide
      busy={sending.isPending && 'Sending...'}
      onSubmit={form.onSubmit((body) => sending.mutate(body))}
      close={close}
    >
      <p className="dim">The quote is mailed as PDF with the tax of today. It is not a tax invoice.</p>
      <OrganisationField data-autofocus {...form.getInputProps('organization')} />
      <DateField
        label="Valid until"
        description="Until the end of this day in India."
        {...form.getInputProps('validUntil')}
      />
      <LineFields form={form} />
    </FormDialog>
  )
}
