import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import type { Refused } from './plan.ts'

const columns: readonly Column<Refused>[] = [
  { id: 'line', header: 'Line', value: ({ row }) => row.line, width: '5rem', narrow: '14%' },
  { id: 'username', header: 'Username', value: ({ row }) => row.username, narrow: '26%' },
  { id: 'email', header: 'Personal Email', value: ({ row }) => row.personalEmail, narrow: '28%' },
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason, width: '40%' },
]
const rowId = ({ row }: Refused) => String(row.line)

/** Rows of the file by line, each with its reason. */
export const RefusedTable = ({ label, rows }: { label: string; rows: readonly Refused[] }) => (
  <DataTable label={label} rows={rows} rowId={rowId} columns={columns} empty="No rows" maxHeight="16rem" />
)
