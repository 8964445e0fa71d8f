import { lazy } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { AdminList } from '@trainyard/platform/web/ui/AdminList.tsx'
import { DeleteTemplateDialog } from './DeleteTemplateDialog.tsx'

const CreateTemplate = lazy(() => import('./CreateTemplate.tsx'))
const EditTemplate = lazy(() => import('./EditTemplate.tsx'))

type Template = ReplyOf<typeof template.list>['templates'][number]

/** Allows a line break after the first part: Standard_ D2s_v3. */
const parted = (name: string) => {
  const [first, ...rest] = name.split('_')
  return rest.length === 0 ? (
    name
  ) : (
    <>
      {first}_<wbr />
      {rest.join('_')}
    </>
  )
}

const columns: readonly Column<Template>[] = [
  {
    id: 'name',
    header: 'Template Name',
    value: (row) => row.name,
    narrow: '22%',
  },
  { id: 'os', header: 'OS', value: (row) => row.creation.os, narrow: '15%' },
  {
    id: 'size',
    header: 'VM Size',
    value: (row) => row.creation.vmSize,
    cell: (row) => parted(row.creation.vmSize),
    narrow: '18%',
  },
  {
    id: 'licence',
    header: 'Licence',
    value: (row) => row.creation.licence,
    cell: (row) => parted(row.creation.licence),
  },
]
const rowsOf = (reply: { templates: Template[] }) => reply.templates
const nameOf = (row: Template) => row.name
const reasonOf = ({ refusal }: Template) => refusal && <Reason text={refusal} />

export function Templates() {
  return (
    <AdminList
      title="Template"
      id="template"
      read={api.template.list}
      rowsOf={rowsOf}
      rowId={nameOf}
      columns={columns}
      below={reasonOf}
      add="Create VM Card"
      addDialog={CreateTemplate}
      nameOf={nameOf}
      editDialog={EditTemplate}
      deleteDialog={DeleteTemplateDialog}
    />
  )
}
