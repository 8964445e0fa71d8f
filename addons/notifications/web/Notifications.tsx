import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Notification } from '../contract/notification.ts'
import { NOTIFICATION_DAYS } from '../contract/notification-words.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

const stateOf = ({ read, routine }: Notification) => (routine ? 'Routine' : read ? 'Read' : 'Unread')

const rowId = ({ id }: Notification) => id

export default function Notifications() {
  const { role } = useMe()
  const notifications = useQuery(query(api.notification.list))
  const { mutate: mark, isPending } = useAction(api.notification.mark, { invalidates: ['notification'] })
  const columns = useMemo<readonly Column<Notification>[]>(
    () => [
      {
        id: 'state',
        header: 'State',
        value: stateOf,
        cell: (row) => <Lamp signal={row.read ? 'gone' : 'moving'}>{stateOf(row)}</Lamp>,
      },
      {
        id: 'what',
        header: 'What Happened',
        value: ({ text }) => text,
        cell: (row) => <NotificationLink row={row} role={role} />,
      },
      { id: 'training', header: 'Training', value: ({ training }) => training ?? '' },
      ...(role === 'superadmin'
        ? [{ id: 'organization', header: 'Organisation', value: ({ organization }: Notification) => organization }]
        : []),
      instantColumn('at', 'When'),
      {
        id: 'mark',
        header: 'Mark',
        width: '9.5rem',
        cell: (row) =>
          row.routine ? null : (
            <TextButton
              label={`Mark as ${row.read ? 'unread' : 'read'}: ${row.text}`}
              onClick={() => mark({ ids: [row.id], read: !row.read })}
            >
              {row.read ? 'Mark as unread' : 'Mark as read'}
            </TextButton>
          ),
      },
    ],
    [mark, role],
  )
  const unread = (notifications.data?.notifications ?? []).filter(({ read }) => !read).map(rowId)
  return (
    <Screen
      actions={
        unread.length > 0 && (
          <Button variant="default" disabled={isPending} onClick={() => mark({ ids: unread, read: true })}>
            Mark all as read
          </Button>
        )
      }
    >
      <p>
        {EXPLANATIONS[role === 'user' || role === 'admin' ? role : 'superadmin']} Notifications are deleted after{' '}
        {NOTIFICATION_DAYS} days.
      </p>
      <Fetched query={notifications} loading={<Skeleton rows={4} height="2.25rem" />}>
        {({ notifications: rows }) => (
          <DataTable
            label="Notifications"
            rows={rows}
            rowId={rowId}
            columns={columns}
            empty="Nothing has happened yet."
            search
            stacks
          />
        )}
      </Fetched>
    </Screen>
  )
}

const EXPLANATIONS = {
  user: 'Decisions of your requests and, if you are an instructor, what happened in your trainings.',
  admin: 'What happened in your organisation: orders, failures, budgets, raised hands, invitations and requests.',
  superadmin: 'Requests of customers, and invitations of their admins that were not delivered.',
} as const

function NotificationLink({ row, role }: { row: Notification; role: Role }) {
  const to = role === 'user' && row.link === '/vm/vmdetails' ? '/vm/class' : (row.link as `/${string}`)
  return (
    <ScreenLink
      to={role === 'superadmin' && to === '/vm/class' ? '/overview' : to}
      search={{
        ...(role === 'superadmin' && { organization: row.organization }),
        ...(row.training !== null && { training: row.training }),
      }}
    >
      {row.read ? row.text : <strong>{row.text}</strong>}
    </ScreenLink>
  )
}
