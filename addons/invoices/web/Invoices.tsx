import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { documentColumns } from './tax-document/documents.tsx'

const COLUMNS = documentColumns(false)

const queriesOf = ({ organization }: { organization: string }) => [query(api.invoice.list, { organization })] as const

export default function Invoices(props: { organization: string }) {
  const { data } = useQuery(queriesOf(props)[0])
  if (data === undefined || data.documents.length === 0) return null
  return (
    <section className="stack no-print" aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      <DataTable
        label="Invoices"
        rows={data.documents}
        rowId={({ number }) => number}
        columns={COLUMNS}
        empty="No documents have been issued yet."
        stacks
      />
    </section>
  )
}
Invoices.queriesOf = queriesOf
