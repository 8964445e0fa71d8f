import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

type Row = ReplyOf<typeof accounting.ageing>['rows'][number]

export default function Ageing() {
  const rows = useQuery(query(api.ledger.ageing))
  return (
    <section className="stack" aria-labelledby="ageing">
      <h2 id="ageing">Open Invoices by Age</h2>
      <Fetched query={rows} loading={<Skeleton rows={4} height="2rem" />}>
        {(data) => (
          <DataTable
            label="Open Invoices by Age"
            rows={data.rows}
            rowId={({ organization }) => organization}
            columns={COLUMNS}
            empty="No invoice is open."
            stacks
          />
        )}
      </Fetched>
    </section>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'organization', header: 'Client Name', value: ({ organization }) => organization },
  paiseColumn('notDuePaise', 'Not due'),
  paiseColumn('to30Paise', '1–30 days'),
  paiseColumn('to60Paise', '31–60 days'),
  paiseColumn('to90Paise', '61–90 days'),
  paiseColumn('over90Paise', 'Over 90 days'),
  paiseColumn('totalPaise', 'Open'),
]
