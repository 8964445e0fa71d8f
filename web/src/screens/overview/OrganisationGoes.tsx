import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { countOf } from '#src/ui/count-of.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** What goes with an organisation, counted, and what stands in the way of its deletion. */
export function OrganisationGoes({ name }: { name: string }) {
  const people = useQuery(query(api.user.list))
  const cards = useQuery(query(api.template.assigned))
  const board = useQuery(query(api.home.trainings, { organization: name }))
  if (people.isPending || cards.isPending || board.isPending) return <Skeleton rows={2} />
  const itsUsers = people.data?.users.filter(({ organization }) => organization === name).length ?? 0
  const itsCards = cards.data?.assigned.filter(({ organization }) => organization === name).length ?? 0
  return (
    <>
      <p>
        <strong>{name}</strong> is deleted with its {countOf(itsUsers, 'user')}, who are signed out and can’t sign in
        again, and with its {countOf(itsCards, 'card assignment')}. What it ran and paid stays on record.
      </p>
      {board.data && <InTheWay {...board.data} />}
    </>
  )
}

interface InTheWayProps {
  trainings: readonly { readonly training: string; readonly running: number; readonly stopped: number }[]
  balance: number
}

function InTheWay({ trainings, balance }: InTheWayProps) {
  const live = trainings.reduce((sum, { running, stopped }) => sum + running + stopped, 0)
  if (live === 0 && balance === 0) return null
  return (
    <ul>
      {live > 0 && (
        <li>
          It still has {countOf(live, 'live machine')} in {countOf(trainings.length, 'training')} (
          {trainings.map(({ training }) => training).join(', ')}): delete these first.
        </li>
      )}
      {balance !== 0 && (
        <li>
          {balance > 0 ? `It owes ${formatRupees(balance)}` : `It has ${formatRupees(-balance)} left`}: its balance must
          be zero.
        </li>
      )}
    </ul>
  )
}
