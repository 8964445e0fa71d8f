import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'

const columns: readonly Column<Machine>[] = [
  { id: 'name', header: 'Name', value: (machine) => machine.name },
  { id: 'osType', header: 'OS Type', value: (machine) => machine.osType },
]

export function Terminated({ machines }: { machines: readonly Machine[] }) {
  return (
    <section className="stack" aria-labelledby="terminated">
      <h2 id="terminated">Terminated Instances</h2>
      <DataTable
        label="Terminated Instances"
        rows={machines}
        rowId={(machine) => machine._id}
        columns={columns}
        empty={EMPTY.terminated}
        maxHeight="22rem"
      />
    </section>
  )
}
