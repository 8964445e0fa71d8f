import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { TaxDocumentPage } from './tax-document/TaxDocumentPage.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

interface PreviewInvoiceProps {
  organization: string
  month: string
  close: () => void
}

export default function PreviewInvoice({ organization, month, close }: PreviewInvoiceProps) {
  const draft = useQuery(query(api.invoice.draft, { organization, month }))
  const issuing = useDialogSubmit(api.invoice.issue, ['ledger'], close)
  const digest = draft.data?.digest
  return (
    <Dialog
      title={`Invoice of ${organization}`}
      wide
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            disabled={digest === undefined || issuing.isPending}
            onClick={() => digest !== undefined && issuing.mutate({ organization, month, digest })}
          >
            {issuing.isPending ? 'Issuing...' : 'Issue Invoice'}
          </Button>
        </>
      }
    >
      <Fetched query={draft} loading={<Skeleton rows={4} height="3rem" />}>
        {({ document }) => (
          <>
            <TaxDocumentPage document={document} />
            <p className="dim">
              An issued invoice can’t be changed, only corrected with a credit note. It is entered in the ledger and
              mailed.
            </p>
          </>
        )}
      </Fetched>
    </Dialog>
  )
}
