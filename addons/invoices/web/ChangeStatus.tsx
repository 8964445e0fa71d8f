import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { FileInput, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { gstProblem } from '@trainyard/organisations/contract/gst.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { CUSTOMER_PLACES, type CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'
import { STATUS_DOCUMENT_BYTES_MAX, STATUS_DOCUMENT_TYPES, statusProblem } from '../contract/tax-status-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { PLACE_WORDS } from './status-words.ts'
import { StatusEffect } from './StatusEffect.tsx'

interface ChangeStatusProps {
  organization: string
  current: { place: CustomerPlace; gstin: string | null }
  close: () => void
}

/** Sends an admin's request with its document, or a superadmin's change. */
export default function ChangeStatus({ organization, current, close }: ChangeStatusProps) {
  const { role, timeZone } = useMe()
  const isSuperadmin = role === 'superadmin'
  const [entered, setEntered] = useState(() => ({
    place: current.place as string,
    gstin: current.gstin ?? '',
    from: today(new Date(), timeZone),
    reason: '',
  }))
  const [file, setFile] = useState<File | null>(null)
  const [tried, setTried] = useState(false)
  const sending = useDialogSubmit(
    async (change: { place: CustomerPlace; gstin: string | null; from: string; reason: string }, options) =>
      isSuperadmin
        ? api.taxStatus.change({ organization, ...change })
        : api.taxStatus.request({ ...change, document: file!.name, bytes: await base64Of(file!) }, options),
    ['taxStatus', 'organisation', 'invoice'],
    close,
  )
  const place = entered.place as CustomerPlace
  const gstin = normaliseTypedCode(entered.gstin) || null
  const shape = gstin === null ? null : gstProblem(gstin)
  const gstWords = shape === null ? statusProblem(place, gstin) : `The GST number ${shape}.`
  const problems: Partial<Record<keyof typeof entered, string>> = {
    ...(gstWords !== null && { gstin: gstWords }),
    ...(entered.from === '' && { from: ALERTS.dateRequired }),
    ...(entered.reason.trim() === '' && { reason: 'Enter the reason.' }),
  }
  const noFile =
    file === null
      ? 'Choose the document that proves the change.'
      : file.size > STATUS_DOCUMENT_BYTES_MAX
        ? `The document must be at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB large.`
        : null
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0 || (!isSuperadmin && noFile !== null)) return
    sending.mutate({ place, gstin, from: entered.from, reason: entered.reason.trim() })
  }
  const changes = place !== current.place || gstin !== current.gstin
  return (
    <FormDialog
      title={isSuperadmin ? 'Change Tax Status' : 'Request a Change of the Tax Status'}
      submit={isSuperadmin ? 'Change Tax Status' : 'Send Request'}
      busy={sending.isPending && 'Sending...'}
      onSubmit={submit}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Place"
        data={CUSTOMER_PLACES.map((value) => ({ value, label: PLACE_WORDS[value] }))}
        {...fieldOf('place')}
      />
      <TextInput
        label="GST Number"
        description="15 letters and digits, as on the registration. Leave empty for a customer without one."
        autoComplete="off"
        {...fieldOf('gstin')}
      />
      <DateField label="Valid from" {...fieldOf('from')} />
      <TextInput label="Reason" autoComplete="off" maxLength={200} {...fieldOf('reason')} />
      {!isSuperadmin && (
        <FileInput
          label="Document"
          description={`For example the registration certificate: PDF, PNG or JPEG, at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB.`}
          accept={STATUS_DOCUMENT_TYPES.join(',')}
          value={file}
          onChange={setFile}
          error={tried && noFile}
        />
      )}
      {changes && gstWords === null && entered.from !== '' && (
        <StatusEffect {...(isSuperadmin && { organization })} place={place} gstin={gstin} from={entered.from} />
      )}
    </FormDialog>
  )
}
