import { useMemo } from 'react'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { DeleteButton, RenewButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import type { LabUser } from './lab-users.ts'
import { LabStatus } from './LabStatus.tsx'
import styles from './LabUsers.module.css'

interface UserTableProps<User extends LabUser> {
  users: readonly User[]
  renew: (user: User) => void
  ask: (user: User) => void
  opened: string | null
  /** Opens the details of a user; null if there are none. */
  open: ((id: string) => void) | null
}

const rowId = ({ _id }: LabUser) => _id
const reasonOf = ({ statusReason }: LabUser) => statusReason && <p className={styles.reason}>{statusReason}</p>

/** The users of a long list, with the actions of their cards. */
export function UserTable<User extends LabUser>({ users, renew, ask, opened, open }: UserTableProps<User>) {
  const columns = useMemo<readonly Column<User>[]>(
    () => [
      {
        id: 'email',
        header: 'Email',
        value: ({ email }) => email,
        cell: ({ _id, email }) =>
          open === null ? (
            <Address>{email}</Address>
          ) : (
            <TextButton label={email} onClick={() => open(_id)}>
              <Address>{email}</Address>
            </TextButton>
          ),
      },
      {
        id: 'userId',
        header: 'User ID',
        value: ({ userId }) => userId,
        cell: ({ userId }) => <span className="mono">{userId}</span>,
      },
      {
        id: 'status',
        header: 'Status',
        value: ({ status }) => status,
        cell: ({ status }) => <LabStatus status={status} />,
      },
      { id: 'duration', header: 'Days', align: 'end', value: ({ duration }) => duration },
      instantColumn('startDate', 'Start'),
      instantColumn('endDate', 'End'),
      {
        id: 'actions',
        header: 'Renew, Delete',
        width: '7.5rem',
        cell: (user) =>
          user.status !== 'Ending' && (
            <span className={styles.actions}>
              <RenewButton name={user.email} onClick={() => renew(user)} />
              <DeleteButton name={user.email} onClick={() => ask(user)} />
            </span>
          ),
      },
    ],
    [renew, ask, open],
  )
  return (
    <DataTable
      label="Lab users"
      rows={users}
      rowId={rowId}
      columns={columns}
      empty="No matches."
      csv="Lab users"
      sortedBy={{ id: 'startDate', desc: true }}
      isSelected={({ _id }) => _id === opened}
      below={reasonOf}
    />
  )
}
