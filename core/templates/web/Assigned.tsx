import { lazy } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { AdminList } from '@trainyard/platform/web/ui/AdminList.tsx'

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
