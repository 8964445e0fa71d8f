import { lazy } from 'react'
import { api } from '#src/api.ts'
import type { Column } from '#src/ui/table/DataTable.tsx'
import { AdminList } from './AdminList.tsx'
import { assignments, type Assignment } from './lists.ts'

const AssignTemplate = lazy(() => import('./AssignTemplate.tsx'))

const columns: readonly Column<Assignment>[] = [
  { id: 'organisation', header: 'Organization', value: (row) => row.organization, narrow: '36%' },
  { id: 'template', header: 'Templates', value: (row) => row.template },
]
const rowsOf = (reply: { assigned: Assignment[] }) => reply.assigned
const rowId = (row: Assignment) => JSON.stringify([row.organization, row.template])
const nameOf = (row: Assignment) => `${row.template} of ${row.organization}`
const consequences = (row: Assignment) => (
  <p>
    <strong>{row.organization}</strong> can no longer order from <strong>{row.template}</strong>. The machines it has of
    it stay.
  </p>
)

export function Assigned() {
  return (
    <AdminList
      title="Assigned"
      id="assigned"
      source={assignments}
      rowsOf={rowsOf}
      rowId={rowId}
      columns={columns}
      add="Assign VM Card"
      dialog={AssignTemplate}
      nameOf={nameOf}
      consequences={consequences}
      remove={(row) => api.template.unassign(row)}
    />
  )
}
