import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { Refused } from './plan.ts'

const columns: readonly Column<Refused>[] = [
  { id: 'line', header: 'Line', value: ({ row }) => row.line, width: '4.5rem', narrow: '15%' },
  {
    id: 'user',
    header: 'User',
    value: ({ row }) => `${row.username} ${row.personalEmail}`,
    cell: ({ row }) => (
      <>
        {row.username || '–'}
        <br />
        <span className="dim">{row.personalEmail || '–'}</span>
      </>
    ),
    width: '34%',
    narrow: '40%',
  },
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason },
]
const rowId = ({ row }: Refused) => String(row.line)

export const RefusedTable = ({ label, rows }: { label: string; rows: readonly Refused[] }) => (
  <DataTable label={label} rows={rows} rowId={rowId} columns={columns} empty="No rows" maxHeight="16rem" />
)
