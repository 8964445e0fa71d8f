import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { EditButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { people as peopleCalls } from '../contract/people.ts'
import { InvitationStatus } from './InvitationStatus.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { OfOrganisation } from '@trainyard/organisations/web/OrganisationPart.tsx'
import { personTools } from '@trainyard/organisations/web/slots.ts'

const EditPerson = lazy(() => import('./EditPerson.tsx'))

type Person = ReplyOf<typeof peopleCalls.list>['people'][number]

const rowId = ({ email }: Person) => email

export default function People() {
  return <OfOrganisation>{(organization) => <PeopleOf organization={organization} />}</OfOrganisation>
}

function PeopleOf({ organization }: { organization: string }) {
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
            <Address>{email}</Address>
            {invitation && <InvitationStatus email={email} invitation={invitation} invite={api.people.invite} />}
          </>
        ),
        narrow: '42%',
      },
      {
        id: 'name',
        header: 'Name',
        value: (row) => row.name && givenNameFirst(row.name),
        searchText: (row) => searchedName(row.name),
        narrow: '24%',
      },
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
