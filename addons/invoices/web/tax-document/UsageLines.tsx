import { useMemo } from 'react'
import type { TaxDocument } from '../../contract/invoice.ts'
import { formatHours } from '@trainyard/platform/web/ui/hours.ts'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

type Line = TaxDocument['lines'][number]

const columnsOf = (lines: readonly Line[]): readonly Column<Line>[] => [
  { id: 'machine', header: 'Machine', value: ({ machine }) => machine },
  ...(lines.some(({ learner }) => learner !== undefined)
    ? [{ id: 'learner', header: 'Learner', value: ({ learner }: Line) => learner ?? null }]
    : []),
  { id: 'training', header: 'Training', value: ({ training }) => training },
  {
    id: 'hours',
    header: 'Hours',
    align: 'end',
    value: ({ seconds }) => formatHours(seconds),
    sortBy: ({ seconds }) => seconds,
  },
  paiseColumn('amountPaise', 'Amount'),
]

export function UsageLines({ lines }: { lines: readonly Line[] }) {
  const columns = useMemo(() => columnsOf(lines), [lines])
  return (
    <details>
      <summary>Usage per machine, before tax ({lines.length})</summary>
      <DataTable
        label="Usage"
        rows={lines}
        rowId={({ machine }) => machine}
        columns={columns}
        empty="No usage."
        stacks
        csv="Usage"
      />
    </details>
  )
}
