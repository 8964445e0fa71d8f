import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Registered, RegistrationLink } from '../contract/registration.ts'
import { REGISTRATION_STATE_LABELS } from '../contract/registration-words.ts'
import { readRoster } from '@trainyard/machines/contract/learner-list.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Registration.module.css'

/** Poll interval in ms, because learners register while the dialog is open. */
const REFRESH_MS = 5_000

export default function Registrations({ link, close }: { link: RegistrationLink; close: () => void }) {
  const found = useQuery({
    ...query(api.registrationLink.registrations, { link: link._id }),
    refetchInterval: REFRESH_MS,
  })
  const invalidates = ['registrationLink', 'machine'] as const
  const approval = useAction((emails: string[]) => api.registrationLink.approve({ link: link._id, emails }), {
    invalidates,
    refetchesOnFailure: true,
  })
  const refusal = useAction((emails: string[]) => api.registrationLink.decline({ link: link._id, emails }), {
    invalidates,
    refetchesOnFailure: true,
  })
  const { mutate: approve } = approval
  const { mutate: decline } = refusal
  const isRevoked = link.state === 'revoked'
  const columns = useMemo(
    () => columnsFor({ approve: isRevoked ? null : approve, decline }),
    [approve, decline, isRevoked],
  )
  return (
    <Dialog title={`Registrations of ${link.name}`} wide close={close}>
      <Fetched query={found} loading={<Skeleton rows={4} height="2.5rem" />}>
        {({ registrations }) => (
          <div className="stack">
            <p>
              {link.taken} of {countOf(link.seats, 'seat')} taken.
            </p>
            {!isRevoked && (
              <Queue waiting={registrations.filter(isUndecided)} approve={approve} busy={approval.isPending} />
            )}
            <DataTable
              label="Registrations"
              rows={registrations}
              rowId={({ email }) => email}
              columns={columns}
              empty="No learner has registered with this link yet."
              unmatched="No registration matches."
              search={registrations.length > 10}
              csv={`registrations-${link.name}`}
              stacks
            />
          </div>
        )}
      </Fetched>
    </Dialog>
  )
}

const isUndecided = ({ state }: Registered): boolean => state === 'pending' || state === 'waiting'

interface QueueProps {
  waiting: readonly Registered[]
  approve: (emails: string[]) => void
  busy: boolean
}

/** Approves all waiting learners, or the waiting learners on a pasted class list. */
function Queue({ waiting, approve, busy }: QueueProps) {
  const [list, setList] = useState<string | null>(null)
  if (waiting.length === 0) return null
  const read = readRoster(list ?? '')
  // An address in any of several columns may be the one with which a learner registered.
  const rosters = [read, ...read.addressColumns.map((column) => readRoster(list ?? '', [column]))]
  const listed = new Set(rosters.flatMap(({ people }) => people.map(({ email }) => email)))
  const matching = waiting.filter(({ email }) => listed.has(email)).map(({ email }) => email)
  return (
    <section className="stack" aria-label="Waiting learners">
      <div className={styles.actions}>
        <Button disabled={busy} onClick={() => approve(waiting.map(({ email }) => email))}>
          {busy ? 'Approving...' : `Approve ${countOf(waiting.length, 'waiting learner')}`}
        </Button>
        {list === null && (
          <Button variant="default" onClick={() => setList('')}>
            Approve by class list
          </Button>
        )}
      </div>
      {list !== null && (
        <>
          <Textarea
            label="Class list"
            description="Paste addresses, with or without names, from a mail program or a spreadsheet."
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
            {...controlledText(list, setList)}
          />
          <p>
            <output>
              {listed.size === 0
                ? 'Your list contains no address yet.'
                : `Waiting learners on your list: ${matching.length} of ${waiting.length}. Other addresses on your list: ${listed.size - matching.length}.`}
            </output>
          </p>
          <div className={styles.actions}>
            <Button disabled={busy || matching.length === 0} onClick={() => approve(matching)}>
              Approve {countOf(matching.length, 'learner')} on the list
            </Button>
            <Button variant="default" onClick={() => setList(null)}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

interface Decisions {
  /** Null if the link was revoked: no registration can be approved. */
  approve: ((emails: string[]) => void) | null
  decline: (emails: string[]) => void
}

const columnsFor = ({ approve, decline }: Decisions): readonly Column<Registered>[] => [
  {
    id: 'email',
    header: 'Learner',
    value: ({ email }) => email,
    searchText: ({ name }) => searchedName(name),
    cell: ({ email, name, isPseudonym }) => (
      <>
        <Address>{name === null ? email : givenNameFirst(name)}</Address>
        {isPseudonym && ' (pseudonym)'}
        {name !== null && (
          <div className="dim">
            <Address>{email}</Address>
          </div>
        )}
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => REGISTRATION_STATE_LABELS[state],
    cell: ({ state, decidedBy }) => (
      <>
        {REGISTRATION_STATE_LABELS[state]}
        {decidedBy !== null && <div className="dim">By {decidedBy}</div>}
      </>
    ),
  },
  {
    id: 'since',
    header: 'Registered',
    value: ({ registeredAt }) => registeredAt,
    cell: ({ registeredAt }) => <Instant at={registeredAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '10rem',
    cell: ({ email, state }) => (
      <div className={styles.actions}>
        {approve !== null && state !== 'seated' && (
          <TextButton label={`Approve ${email}`} onClick={() => approve([email])}>
            Approve
          </TextButton>
        )}
        {state !== 'declined' && (
          <TextButton label={`${state === 'seated' ? 'Remove' : 'Decline'} ${email}`} onClick={() => decline([email])}>
            {state === 'seated' ? 'Remove' : 'Decline'}
          </TextButton>
        )}
      </div>
    ),
  },
]
