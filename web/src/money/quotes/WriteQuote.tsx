import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { useMe } from '#src/session/me.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { OrganisationField } from '#src/ui/OrganisationField.tsx'
import { today } from '#src/ui/time.ts'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { areValid, BLANK_LINE, type Line, LineFields, readLine } from '#src/screens/invoices/LineFields.tsx'

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
      <TextInput
        label="Valid until"
        type="date"
        description="Until the end of this day in India."
        {...controlledText(validUntil, setValidUntil)}
        error={tried && validUntil === '' && 'Select a day.'}
      />
      <LineFields lines={lines} change={setLines} tried={tried} />
    </FormDialog>
  )
}
