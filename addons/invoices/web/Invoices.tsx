import { useQuery } from '@tanstack/react-query'
import { AccountPart } from '@trainyard/payments/web/AccountPart.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { documentColumns } from './tax-document/documents.tsx'

const COLUMNS = documentColumns(false)

/** Documents of the organisation whose account is shown. */
export default function Invoices() {
  return <AccountPart>{({ organization }) => <InvoicesOf organization={organization} />}</AccountPart>
}

function InvoicesOf({ organization }: { organization: string }) {
  const invoices = useQuery(query(api.invoice.list, { organization }))
  return (
    <Fetched query={invoices} loading={<Skeleton rows={4} height="2rem" />}>
      {({ documents }) => (
        <DataTable
          label="Invoices"
          rows={documents}
          rowId={({ number }) => number}
          columns={COLUMNS}
          empty="No documents have been issued yet."
          stacks
        />
      )}
    </Fetched>
  )
}
