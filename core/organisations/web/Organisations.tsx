import { lazy } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { AdminList } from '@trainyard/platform/web/ui/AdminList.tsx'
import { DeleteOrganisationDialog } from './DeleteOrganisationDialog.tsx'

const CreateOrganisation = lazy(() => import('./CreateOrganisation.tsx'))

interface Organisation {
  readonly name: string
}

const columns: readonly Column<Organisation>[] = [
  { id: 'organisation', header: 'Organization', value: (row) => row.name },
]
const rowsOf = (reply: { organization: string[] }) => reply.organization.map((name) => ({ name }))
const nameOf = (row: Organisation) => row.name

export function Organisations() {
  return (
    <AdminList
      title="Organisation"
      id="organisation"
      read={api.organisation.list}
      rowsOf={rowsOf}
      rowId={nameOf}
      columns={columns}
      add="Create Organization"
      addDialog={CreateOrganisation}
      nameOf={nameOf}
      editDialog={null}
      deleteDialog={DeleteOrganisationDialog}
    />
  )
}
