import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { Fragment, lazy } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { user } from '../contract/user.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { AdminList } from '@trainyard/platform/web/ui/AdminList.tsx'
import { Invited } from './Invited.tsx'

const CreateUser = lazy(() => import('./CreateUser.tsx'))
const EditPerson = lazy(() => import('./EditPerson.tsx'))

type User = ReplyOf<typeof user.list>['users'][number]

const columns: readonly Column<User>[] = [
  {
    id: 'email',
    header: 'Email',
    value: (row) => row.email,
    searchText: (row) => searchedName(row.name),
    cell: (row) => (
      <>
        <Address>{row.email}</Address>
        {row.name !== null && <div className="dim">{givenNameFirst(row.name)}</div>}
        <Invited row={row} />
      </>
    ),
    narrow: '29%',
  },
  { id: 'organisation', header: 'Organization', value: (row) => row.organization, narrow: '25%' },
  { id: 'role', header: 'User Type', value: (row) => row.userType, cell: (row) => <Role of={row.userType} /> },
]

/** Breaks between words, such as super and admin, where the column is narrow. */
const Role = ({ of }: { of: User['userType'] }) =>
  of.split(/(?<=super|aws|sandbox)/).map((word) => (
    <Fragment key={word}>
      {word}
      <wbr />
    </Fragment>
  ))

const EditPersonOfRow = ({ row, close }: { row: User; close: () => void }) => <EditPerson person={row} close={close} />
const rowsOf = (reply: { users: User[] }) => reply.users
const nameOf = (row: User) => row.email

const DeleteUserDialog = ({ row, close }: { row: User; close: () => void }) => (
  <DeleteDialog
    name={nameOf(row)}
    remove={() => api.user.remove({ email: row.email, organization: row.organization })}
    invalidates={['user']}
    close={close}
  >
    <p>
      <strong>
        <Address>{row.email}</Address>
      </strong>
      {row.organization && ` of ${row.organization}`} is signed out everywhere and can’t sign in again.{' '}
      {row.machines === 0
        ? 'They have no live machines. Past costs stay on the bill.'
        : `Their ${countOf(row.machines, 'live machine')} and all costs stay.`}
    </p>
  </DeleteDialog>
)

export function Users() {
  return (
    <AdminList
      title="User"
      id="user"
      read={api.user.list}
      rowsOf={rowsOf}
      rowId={nameOf}
      columns={columns}
      add="Create User"
      addDialog={CreateUser}
      nameOf={nameOf}
      editDialog={EditPersonOfRow}
      deleteDialog={DeleteUserDialog}
    />
  )
}
