import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import {
  CANCELLATION_REASONS,
  CANCELLATION_REMARK_LENGTH,
  type CancellationReason,
  formatMonth,
  PRINTABLE_PATTERN,
} from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { formatInstant, today } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import { typedFields } from '#src/ui/typed-fields.tsx'
import { useMe } from '#src/session/me.ts'

interface CancelDocumentProps {
  document: TaxDocument
  /** Last instant at which the portal cancels the document. */
  until: string
  close: () => void
}

export default function CancelDocument({ document, until, close }: CancelDocumentProps) {
  const { timeZone } = useMe()
  const now = useNow()
  const { kind } = document
  const number = document.number!
  const month = document.date!.slice(0, 7)
  const [entered, setEntered] = useState({ reason: '', remark: '' })
  const [tried, setTried] = useState(false)
  const requesting = useDialogSubmit(api.invoice.cancel, ['invoice'], close)
  const remark = entered.remark.trim()
  const problems = {
    ...(entered.reason === '' && { reason: 'Choose the reason.' }),
    ...(remark.length < 3
      ? { remark: 'Enter a remark of at least three characters.' }
      : !PRINTABLE_PATTERN.test(remark) && {
          remark: 'Use Latin letters or an Indian script, without quotation marks.',
        }),
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    requesting.mutate({ number, reason: entered.reason as CancellationReason, remark })
  }
  return (
    <FormDialog
      title={`Cancel ${number}`}
      submit="Request Cancellation"
      busy={requesting.isPending && 'Requesting...'}
      onSubmit={submit}
      close={close}
    >
      <p>
        The e-invoice portal cancels it until {formatInstant(until, timeZone)}. When the portal confirms, the document
        is no longer valid:
      </p>
      <ul>
        <li>The ledger entry is reversed, on the date of the document, and the customer is notified.</li>
        {kind === 'invoice' ? (
          <>
            <li>Payments of the invoice are on account.</li>
            <li>What it charged can be invoiced again, with a new number. It is not invoiced automatically.</li>
          </>
        ) : (
          <li>The invoice to which the note refers is open again as without the note.</li>
        )}
        {month < today(now, timeZone).slice(0, 7) && (
          <li>
            If GSTR-1 of {formatMonth(month)} is already filed, amend it in table {kind === 'invoice' ? '9A' : '9C'} of
            the next return.
          </li>
        )}
      </ul>
      <NativeSelect
        data-autofocus
        label="Reason"
        data={[
          { value: '', label: 'Choose a reason' },
          ...CANCELLATION_REASONS.map((reason) => ({
            value: reason,
            label: `${reason[0]!.toUpperCase()}${reason.slice(1)}`,
          })),
        ]}
        {...fieldOf('reason')}
      />
      <TextInput
        label="Remark"
        description="Sent to the e-invoice portal."
        autoComplete="off"
        maxLength={CANCELLATION_REMARK_LENGTH}
        {...fieldOf('remark')}
      />
      <p className="dim">A cancellation can’t be undone.</p>
    </FormDialog>
  )
}
