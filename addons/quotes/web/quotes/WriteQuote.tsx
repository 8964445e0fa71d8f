import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { areValid, BLANK_LINE, type Line, LineFields, readLine } from '@trainyard/invoices/web/LineFields.tsx'

const DAYS = 30

export default function WriteQuote({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const [organization, setOrganization] = useState('')
  const [validUntil, setValidUntil] = useState(() => today(new Date(Date.now() + DAYS * 86_400_000), timeZone))
  const [lines, setLines] = useState<readonly Line[]>([BLANK_LINE])
  const [tried, setTried] = useState(false)
  const sending = useDialogSubmit(api.quote.create, ['quote'], close)
  const submit = () => {
    setTried(true)
    if (organization !== '' && validUntil !== '' && areValid(lines))
      sending.mutate({ organization, validUntil, lines: lines.map(readLine) })
  }
  return (
    <FormDialog
      title="Quote"
      submit="Send Quote"
      wide
      busy={sending.isPending && 'Sending...'}
      onSubmit={submit}
      close={close}
    >
      <p className="dim">The quote is mailed as PDF with the tax of today. It is not a tax invoice.</p>
      <OrganisationField
        data-autofocus
        {...controlledText(organization, setOrganization)}
        error={tried && organization === '' && 'Select an organisation.'}
      />
      <DateField
        label="Valid until"
        description="Until the end of this day in India."
        {...controlledText(validUntil, setValidUntil)}
        error={tried && validUntil === '' && 'Select a day.'}
      />
      <LineFields lines={lines} change={setLines} tried={tried} />
    </FormDialog>
  )
}
