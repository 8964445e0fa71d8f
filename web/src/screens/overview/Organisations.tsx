import { lazy } from 'react'
import { api } from '#src/api.ts'
import type { Column } from '#src/ui/table/DataTable.tsx'
import { AdminList } from './AdminList.tsx'
import { assignments, organisations, users, type Organisation } from './lists.ts'

const CreateOrganisation = lazy(() => import('./CreateOrganisation.tsx'))

const columns: readonly Column<Organisation>[] = [
  { id: 'organisation', header: 'Organization', value: (row) => row.name },
]
const rowsOf = (reply: { organization: string[] }) => reply.organization.map((name) => ({ name }))
const nameOf = (row: Organisation) => row.name
const consequences = (row: Organisation) => (
  <p>
    <strong>{row.name}</strong> is deleted with its users, who are signed out and can’t sign in again, and with its card
    assignments. It must have no live machines and a balance of zero.
  </p>
)

export function Organisations() {
  return (
    <AdminList
      title="Organisation"
      source={organisations}
      rowsOf={rowsOf}
      rowId={nameOf}
      columns={columns}
      add="Create Organization"
      dialog={CreateOrganisation}
      nameOf={nameOf}
      consequences={consequences}
      remove={(row) => api.organisation.remove({ organization: row.name })}
      alsoChanges={[users.queryKey, assignments.queryKey]}
    />
  )
}
