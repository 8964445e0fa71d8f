import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { EditButton } from '#src/ui/IconButtons.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { people as peopleCalls } from '@trainyard/contract/calls/people.ts'
import { InvitationStatus } from '#src/training/InvitationStatus.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { Section } from '#src/forms/Section.tsx'
import { Fills } from '#src/shell/Fills.tsx'
import { personTools } from './slots.ts'

const EditPerson = lazy(() => import('#src/forms/EditPerson.tsx'))

type Person = ReplyOf<typeof peopleCalls.list>['people'][number]

const rowId = ({ email }: Person) => email

export default function People({ organization }: { organization: string }) {
  const [toEdit, setToEdit] = useState<Person | null>(null)
  const people = useQuery({ ...query(api.people.list, { organization }), select: (reply) => reply.people })
  const columns = useMemo<readonly Column<Person>[]>(
    () => [
      {
        id: 'email',
        header: 'Email',
        value: (row) => row.email,
        cell: ({ email, invitation }) => (
          <>
            {email}
            {invitation && <InvitationStatus email={email} invitation={invitation} invite={api.people.invite} />}
          </>
        ),
        narrow: '42%',
      },
      { id: 'name', header: 'Name', value: (row) => row.name, narrow: '24%' },
      { id: 'role', header: 'User Type', value: (row) => row.userType },
      {
        id: 'edit',
        header: 'Edit',
        width: '8rem',
        narrow: '3.5rem',
        cell: (row) => (
          <div className="row">
            <EditButton name={row.email} onClick={() => setToEdit(row)} />
            <Fills of={personTools} props={{ email: row.email }} />
          </div>
        ),
      },
    ],
    [],
  )
  return (
    <Section title="People">
      <Fetched query={people} loading={<Skeleton rows={4} height="2.25rem" />}>
        {(data) => (
          <DataTable
            label={`People of ${organization}`}
            rows={data}
            rowId={rowId}
            columns={columns}
            empty={EMPTY.list('User')}
            unmatched={EMPTY.list('User')}
            search
            csv={`People of ${organization}`}
            maxHeight="20rem"
          />
        )}
      </Fetched>
      {toEdit && (
        <Suspense>
          <EditPerson person={toEdit} close={() => setToEdit(null)} />
        </Suspense>
      )}
    </Section>
  )
}
