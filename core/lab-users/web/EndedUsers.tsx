import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import type { EndedLabUser, LabUser, LabUserSource } from './lab-users.ts'
import { RenewButton } from '@trainyard/platform/web/ui/IconButtons.tsx'

const rowId = ({ email }: EndedLabUser) => email

export function EndedUsers({ source, renew }: { source: LabUserSource<LabUser>; renew: (email: string) => void }) {
  const heading = useId()
  const { data } = useQuery({ ...query(source.ended), select: ({ users }) => users, refetchInterval: 20_000 })
  const columns = useMemo<readonly Column<EndedLabUser>[]>(
    () => [
      { id: 'email', header: 'Email', value: ({ email }) => email, narrow: '50%' },
      instantColumn('endDate', 'Ended'),
      {
        id: 'renew',
        header: 'Renew',
        width: '5rem',
        narrow: '4rem',
        cell: ({ email }) => <RenewButton name={email} onClick={() => renew(email)} />,
      },
    ],
    [renew],
  )
  if (data === undefined || data.length === 0) return null
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading}>Ended users</h2>
      <p className="dim">
        Users that ended in the last 90 days. Renewing a user creates a new account with the same name.
      </p>
      <DataTable label="Ended users" rows={data} rowId={rowId} columns={columns} empty="" search maxHeight="20rem" />
    </section>
  )
}
