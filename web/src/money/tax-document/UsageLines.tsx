import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import { paiseColumn } from '#src/ui/Rupees.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'

type Line = TaxDocument['lines'][number]

const COLUMNS: readonly Column<Line>[] = [
  { id: 'machine', header: 'Machine', value: ({ machine }) => machine },
  { id: 'training', header: 'Training', value: ({ training }) => training },
  {
    id: 'hours',
    header: 'Hours',
    align: 'end',
    value: ({ seconds }) => (seconds / 3600).toFixed(2),
    sortBy: ({ seconds }) => seconds,
  },
  paiseColumn('amountPaise', 'Amount'),
]

export const UsageLines = ({ lines }: { lines: readonly Line[] }) => (
  <details>
    <summary>Usage per machine, before tax ({lines.length})</summary>
    <DataTable
      label="Usage"
      rows={lines}
      rowId={({ machine }) => machine}
      columns={COLUMNS}
      empty="No usage."
      stacks
      csv="Usage"
    />
  </details>
)
