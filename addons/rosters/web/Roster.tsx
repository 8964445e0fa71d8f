import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import IconPencil from '@tabler/icons-react/icons/IconPencil'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { roster, RosterMember } from '../contract/roster.ts'
import { hasMailbox } from '@trainyard/platform/contract/words/email.ts'
import { MACHINE_RULES, ROSTER, ROSTER_KIND_TITLES } from '../contract/training-roster.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { hoursText } from '@trainyard/platform/web/ui/hours.ts'
import { Instant, instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Roster.module.css'

const FollowList = lazy(() => import('./FollowList.tsx'))

type Shown = ReplyOf<typeof roster.show>
type Followed = NonNullable<Shown['roster']>

/** Poll interval in ms while machines are being ordered. */
const REFRESH_MS = 5_000

export default function Roster() {
  const { trainingQuery } = useSelection()
  if (trainingQuery === null) return <WithoutTraining />
  return <RosterOf key={JSON.stringify(trainingQuery)} training={trainingQuery} />
}

function RosterOf({ training }: { training: TrainingQuery }) {
  const shown = useQuery({ ...query(api.roster.show, training), refetchInterval: REFRESH_MS })
  return (
    <Screen>
      <Fetched query={shown} loading={<Skeleton rows={2} height="12rem" />}>
        {(data) =>
          data.roster === null ? (
            <Unconnected training={training} sources={data.sources} />
          ) : (
            <Connected training={training} roster={data.roster} sources={data.sources} />
          )
        }
      </Fetched>
    </Screen>
  )
}

function Unconnected({ training, sources }: { training: TrainingQuery; sources: Shown['sources'] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <EmptyState
        text={
          sources.length === 0
            ? 'There is no list of members yet. Connect your identity provider or your LMS in Organisation Settings. Groups and courses then appear here.'
            : 'The learners of this training are added by hand. Let them follow a group of your identity provider or a course of your LMS instead.'
        }
      >
        {sources.length > 0 && <Button onClick={() => setOpen(true)}>Follow a List</Button>}
      </EmptyState>
      {open && (
        <Suspense>
          <FollowList training={training} sources={sources} current={null} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Connected({
  training,
  roster: followed,
  sources,
}: {
  training: TrainingQuery
  roster: Followed
  sources: Shown['sources']
}) {
  const { source, rules, lastRun, pendingRemoval, members } = followed
  const [ending, setEnding] = useState(false)
  const removal = useAction(() => api.roster.remove(training), {
    invalidates: ['roster'],
    onDone: () => setEnding(false),
  })
  return (
    <>
      {pendingRemoval !== null && (
        <PendingRemoval training={training} followed={followed} learners={pendingRemoval.learners} />
      )}
      <section className={`panel ${styles.panel}`} aria-label="Source of the roster">
        <dl className={styles.facts}>
          <Fact term={ROSTER_KIND_TITLES[source.kind]}>{source.name}</Fact>
          <Fact term="Last change">
            {lastRun === null ? 'None yet' : <Instant at={lastRun.at} />}
            {lastRun !== null && ` (${changeOf(lastRun)})`}
          </Fact>
          <Fact term="Machines">
            {MACHINE_RULES[rules.machineRule]}
            {rules.machineRule !== 'none' && rules.templateName !== null && ` from ${rules.templateName}`}
          </Fact>
          {rules.machineRule !== 'none' && (
            <>
              <Fact term="Seats">{rules.seats === null ? 'Not limited' : String(rules.seats)}</Fact>
              <Fact term="Hours per learner">
                {rules.allottedMinutes === null ? 'Not limited' : hoursText(rules.allottedMinutes)}
              </Fact>
              <Fact term="After a learner leaves">
                The machine stays stopped for {countOf(rules.graceDays, 'day')}, then it is deleted.
              </Fact>
            </>
          )}
        </dl>
        <div className="row">
          <DialogButton
            icon={IconPencil}
            variant="default"
            dialog={(close) => <FollowList training={training} sources={sources} current={followed} close={close} />}
          >
            Change Rules
          </DialogButton>
          <Button variant="default" onClick={() => setEnding(true)}>
            Stop Following
          </Button>
        </div>
      </section>
      <Members members={members} />
      {ending && (
        <ConfirmDialog
          title={`Stop following ${source.name}`}
          confirm="Stop Following"
          busy={removal.isPending && 'Saving...'}
          onConfirm={() => removal.mutate()}
          close={() => setEnding(false)}
        >
          <p>
            Learners and machines stay as they are. Machines of learners who have left are no longer deleted
            automatically.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

const changeOf = ({ joined, returned, left }: NonNullable<Followed['lastRun']>): string =>
  [joined > 0 && `${joined} joined`, returned > 0 && `${returned} returned`, left > 0 && `${left} left`]
    .filter((part) => part !== false)
    .join(', ') || 'no change'

function PendingRemoval({
  training,
  followed,
  learners,
}: {
  training: TrainingQuery
  followed: Followed
  learners: number
}) {
  const decision = useAction(
    (approve: boolean) => api.roster.decide({ ...training, version: followed.version, approve }),
    {
      invalidates: ['roster'],
      refetchesOnFailure: true,
    },
  )
  return (
    <section className={`panel ${styles.panel}`} aria-label="Pending removal">
      <p role="alert">{ROSTER.pending(learners)}</p>
      <div className="row">
        <Button color="red" disabled={decision.isPending} onClick={() => decision.mutate(true)}>
          Approve Removal
        </Button>
        <Button variant="default" disabled={decision.isPending} onClick={() => decision.mutate(false)}>
          Refuse
        </Button>
      </div>
    </section>
  )
}

const STATES = {
  member: { signal: 'clear', label: 'Member' },
  'removal pending': { signal: 'danger', label: 'Removal pending' },
  left: { signal: 'gone', label: 'Left' },
} as const

function Members({ members }: { members: readonly RosterMember[] }) {
  const columns = useMemo<readonly Column<RosterMember>[]>(
    () => [
      {
        id: 'learner',
        header: 'Person',
        value: ({ name, email }) => (name === null ? email : `${givenNameFirst(name)} ${email}`),
        searchText: ({ name }) => searchedName(name),
        cell: ({ name, email }) => (
          <>
            {name !== null && <bdi>{givenNameFirst(name)}</bdi>}{' '}
            <span className={`dim ${styles.address}`}>
              {hasMailbox(email) ? <Address>{email}</Address> : 'No e-mail'}
            </span>
          </>
        ),
      },
      { id: 'role', header: 'Role', value: ({ role }) => (role === 'learner' ? 'Learner' : 'Instructor') },
      {
        id: 'state',
        header: 'State',
        value: ({ state }) => STATES[state].label,
        cell: ({ state, byHand }) => (
          <>
            <Lamp signal={STATES[state].signal}>{STATES[state].label}</Lamp>
            {byHand && <span className="dim"> Added by an admin too</span>}
          </>
        ),
      },
      {
        id: 'machine',
        header: 'Machine',
        value: ({ machine, problem }) => machine ?? problem ?? '',
        cell: ({ machine, problem, deletesAt }) =>
          machine === null ? (
            (problem ?? '–')
          ) : (
            <>
              {machine}
              {deletesAt !== null && (
                <span className="dim">
                  {' '}
                  is deleted on <Instant at={deletesAt} />
                </span>
              )}
            </>
          ),
      },
      instantColumn('since', 'Since'),
    ],
    [],
  )
  return (
    <DataTable
      label="Members"
      rows={members}
      rowId={({ email, since, role }) => `${email} ${role} ${since}`}
      columns={columns}
      stacks
      csv="roster.csv"
      search={members.length > 10}
      empty="The list has no members yet."
    />
  )
}
