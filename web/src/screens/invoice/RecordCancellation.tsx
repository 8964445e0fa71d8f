import type { CancellationResult } from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'

interface RecordCancellationProps {
  number: string
  result: CancellationResult
  close: () => void
}

/** Records the result of a cancellation that the e-invoice portal has neither confirmed nor refused. */
export default function RecordCancellation({ number, result, close }: RecordCancellationProps) {
  const recording = useDialogSubmit(api.invoice.recordCancellation, ['invoice', 'ledger'], close)
  const isCancelled = result === 'cancelled'
  return (
    <ConfirmDialog
      title={isCancelled ? `Record ${number} as Cancelled` : `Record ${number} as Valid`}
      confirm={isCancelled ? 'Record as Cancelled' : 'Record as Valid'}
      busy={recording.isPending && 'Recording...'}
      destroys={isCancelled}
      onConfirm={() => recording.mutate({ number, result })}
      close={close}
    >
      <p>
        {isCancelled
          ? 'The website of the e-invoice portal shows the document as cancelled. The ledger entry is reversed, on the date of the document, and the customer is notified.'
          : 'The website of the e-invoice portal shows the document as valid. The request for cancellation ends.'}
      </p>
      <p className="dim">This can’t be undone.</p>
    </ConfirmDialog>
  )
}
