import { lazy } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { template } from '@trainyard/contract/calls/template.ts'
import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import type { Column } from '#src/ui/table/DataTable.tsx'
import { AdminList } from './AdminList.tsx'

const AssignTemplate = lazy(() => import('./AssignTemplate.tsx'))

type Assignment = ReplyOf<typeof template.assigned>['assigned'][number]

const columns: readonly Column<Assignment>[] = [
  { id: 'organisation', header: 'Organization', value: (row) => row.organization, narrow: '36%' },
  { id: 'template', header: 'Templates', value: (row) => row.template },
]
const rowsOf = (reply: { assigned: Assignment[] }) => reply.assigned
const rowId = (row: Assignment) => JSON.stringify([row.organization, row.template])
const nameOf = (row: Assignment) => `${row.template} of ${row.organization}`

const DeleteAssignmentDialog = ({ row, close }: { row: Assignment; close: () => void }) => (
  <DeleteDialog name={nameOf(row)} remove={() => api.template.unassign(row)} invalidates={['template']} close={close}>
    <p>
      <strong>{row.organization}</strong> can no longer order from <strong>{row.template}</strong>. Its existing
      machines stay.
    </p>
  </DeleteDialog>
)

export function Assigned() {
  return (
    <AdminList
      title="Assigned"
      id="assigned"
      read={api.template.assigned}
      rowsOf={rowsOf}
      rowId={rowId}
      columns={columns}
      add="Assign VM Card"
      addDialog={AssignTemplate}
      nameOf={nameOf}
      editDialog={null}
      deleteDialog={DeleteAssignmentDialog}
    />
  )
}
