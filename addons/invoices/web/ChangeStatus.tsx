import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { FileInput, NativeSelect, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { codeOrNull } from './address.ts'
import { statusChange } from '../contract/tax-status.ts'
import { CUSTOMER_PLACES, type CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'
import { STATUS_DOCUMENT_BYTES_MAX, STATUS_DOCUMENT_TYPES } from '../contract/tax-status-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { PLACE_WORDS } from './status-words.ts'
import { StatusEffect } from './StatusEffect.tsx'

type Change = z.output<typeof statusChange>
type StatusForm = { place: CustomerPlace; gstin: string; from: string; reason: string }

interface ChangeStatusProps {
  organization: string
  current: { place: CustomerPlace; gstin: string | null }
  close: () => void
}

/** Sends an admin's request with its document, or a superadmin's change. */
export default function ChangeStatus({ organization, current, close }: ChangeStatusProps) {
  const { role, timeZone } = useMe()
  const isSuperadmin = role === 'superadmin'
  const [file, setFile] = useState<File | null>(null)
  const fileButton = useRef<HTMLButtonElement>(null)
  const [tried, setTried] = useState(false)
  const [now] = useState(() => today(new Date(), timeZone))
  const sending = useDialogSubmit(
    async (change: Change, options) =>
      isSuperadmin
        ? api.taxStatus.change({ organization, ...change })
        : api.taxStatus.request({ ...change, document: file!.name, bytes: await base64Of(file!) }, options),
    ['taxStatus', 'organisation', 'invoice'],
    close,
  )
  const form = useShapedForm<StatusForm, Change>({
    shape: statusChange,
    initialValues: { place: current.place, gstin: current.gstin ?? '', from: now, reason: '' },
    bodyOf: ({ place, gstin, from, reason }) => ({ place, gstin: codeOrNull(gstin), from, reason: reason.trim() }),
  })
  const change = form.getTransformedValues()
  const { place, gstin, from } = change
  const problems = problemsIn(statusChange, change)
  const noFile =
    file === null
      ? 'Choose the document that proves the change.'
      : file.size > STATUS_DOCUMENT_BYTES_MAX
        ? `The document must be at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB large.`
        : null
  const submit = form.onSubmit((body) => {
    if (isSuperadmin || noFile === null) sending.mutate(body)
  })
  const changes = place !== current.place || gstin !== current.gstin
  return (
    <FormDialog
      title={isSuperadmin ? 'Change Tax Status' : 'Request a Change of the Tax Status'}
      submit={isSuperadmin ? 'Change Tax Status' : 'Send Request'}
      busy={sending.isPending && 'Sending...'}
      onSubmit={() => {
        setTried(true)
        if (noFile !== null) fileButton.current?.focus()
        submit()
      }}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Place"
        data={CUSTOMER_PLACES.map((value) => ({ value, label: PLACE_WORDS[value] }))}
        {...form.getInputProps('place')}
      />
      <TextInput
        label="GST Number"
        description="15 letters and digits, as on the registration. Leave empty for a customer without one."
        autoComplete="off"
        {...form.getInputProps('gstin')}
      />
      <DateField label="Valid from" {...form.getInputProps('from')} />
      <TextInput label="Reason" autoComplete="off" maxLength={200} {...form.getInputProps('reason')} />
      {!isSuperadmin && (
        <FileInput
          label="Document"
          description={`For example the registration certificate: PDF, PNG or JPEG, at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB.`}
          accept={STATUS_DOCUMENT_TYPES.join(',')}
          value={file}
          onChange={setFile}
          ref={fileButton}
          error={tried && noFile !== null && <span role="alert">{noFile}</span>}
        />
      )}
      {changes && !problems['gstin'] && !problems['from'] && (
        <StatusEffect {...(isSuperadmin && { organization })} place={place} gstin={gstin} from={from} />
      )}
    </FormDialog>
  )
}
