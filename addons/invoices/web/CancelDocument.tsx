import { NativeSelect, TextInput } from '@mantine/core'
import { invoice, type TaxDocument } from '../contract/invoice.ts'
import {
  CANCELLATION_HOURS,
  CANCELLATION_REASONS,
  type CancellationReason,
  formatMonth,
} from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatInstant, today } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { instantOf } from './portal-time.ts'

interface CancelDocumentProps {
  document: TaxDocument
  registeredAt: string
  close: () => void
}

const HOUR_MS = 3_600_000

export default function CancelDocument({ document, registeredAt, close }: CancelDocumentProps) {
  const { timeZone } = useMe()
  const now = useNow()
  const { kind } = document
  const number = document.number!
  const month = document.date!.slice(0, 7)
  const until = new Date(Date.parse(registeredAt) + CANCELLATION_HOURS * HOUR_MS).toISOString()
  const recording = useDialogSubmit(api.invoice.cancel, ['ledger'], close)
  const form = useShapedForm({
    shape: invoice.cancel.body,
    initialValues: { cancelledAt: '', reason: '' },
    bodyOf: ({ cancelledAt, reason }) => ({
      number,
      cancelledAt: instantOf(cancelledAt),
      reason: reason as CancellationReason,
    }),
  })
  return (
    <FormDialog
      title={`Cancellation of ${number}`}
      submit="Record Cancellation"
      busy={recording.isPending && 'Recording...'}
      onSubmit={form.onSubmit((body) => recording.mutate(body))}
      close={close}
    >
      <p>
        Cancel it on the website of the e-invoice portal first, until {formatInstant(until, timeZone)}. Record here what
        the website shows. The document is then no longer valid:
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
      <TextInput
        data-autofocus
        label="Cancelled At (India)"
        type="datetime-local"
        step={1}
        {...form.getInputProps('cancelledAt')}
      />
      <NativeSelect
        label="Reason"
        data={[
          { value: '', label: 'Choose a reason' },
          ...CANCELLATION_REASONS.map((reason) => ({
            value: reason,
            label: `${reason[0]!.toUpperCase()}${reason.slice(1)}`,
          })),
        ]}
        {...form.getInputProps('reason')}
      />
      <p className="dim">A cancellation can’t be undone.</p>
    </FormDialog>
  )
}
