import { lazy } from 'react'
import { api } from '#src/api.ts'
import type { Column } from '#src/ui/table/DataTable.tsx'
import { AdminList } from './AdminList.tsx'
import { assignments, templates, type Template } from './lists.ts'

const CreateTemplate = lazy(() => import('./CreateTemplate.tsx'))

const columns: readonly Column<Template>[] = [
  { id: 'name', header: 'Template Name', value: (row) => row.name },
  { id: 'os', header: 'OS', value: (row) => row.creation.os },
  { id: 'size', header: 'VM Size', value: (row) => row.creation.vmSize },
  { id: 'licence', header: 'Licence', value: (row) => row.creation.licence },
]
const rowsOf = (reply: { templates: Template[] }) => reply.templates
const nameOf = (row: Template) => row.name
const consequences = (row: Template) => (
  <p>
    Nobody can order from <strong>{row.name}</strong> any more, and its assignments go with it. Machines made from it
    keep running, and cost what they did.
  </p>
)

export function Templates() {
  return (
    <AdminList
      title="Template"
      source={templates}
      rowsOf={rowsOf}
      rowId={nameOf}
      columns={columns}
      add="Create VM Card"
      dialog={CreateTemplate}
      nameOf={nameOf}
      consequences={consequences}
      remove={(row) => api.template.remove({ template: row.name })}
      alsoChanges={[assignments.queryKey]}
    />
  )
}
