import { useQuery } from '@tanstack/react-query'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'

interface DeleteOrganisationDialogProps {
  row: { readonly name: string }
  close: () => void
}

export function DeleteOrganisationDialog({ row: { name }, close }: DeleteOrganisationDialogProps) {
  return (
    <DeleteDialog
      name={name}
      remove={() => api.organisation.remove({ organization: name })}
      invalidates={['organisation', 'user', 'template']}
      close={close}
    >
      <Consequences name={name} />
    </DeleteDialog>
  )
}

function Consequences({ name }: { name: string }) {
  const people = useQuery(query(api.user.list))
  const assignments = useQuery(query(api.template.assigned))
  const board = useQuery(query(api.home.trainings, { organization: name }))
  if (people.isPending || assignments.isPending || board.isPending) return <Skeleton rows={2} />
  const itsUsers = people.data?.users.filter(({ organization }) => organization === name).length ?? 0
  const itsAssignments = assignments.data?.assigned.filter(({ organization }) => organization === name).length ?? 0
  return (
    <>
      <p>
        <strong>{name}</strong> is deleted with its {countOf(itsUsers, 'user')}, who are signed out and can’t sign in
        again, and with its {countOf(itsAssignments, 'card assignment')}. Its usage and payments stay on record.
      </p>
      {board.data && <Obstacles {...board.data} />}
    </>
  )
}

interface ObstaclesProps {
  trainings: readonly { readonly training: string; readonly running: number; readonly stopped: number }[]
  balancePaise: number
}

function Obstacles({ trainings, balancePaise }: ObstaclesProps) {
  const live = trainings.reduce((sum, { running, stopped }) => sum + running + stopped, 0)
  const withMachines = trainings.filter(({ running, stopped }) => running + stopped > 0)
  if (live === 0 && balancePaise === 0) return null
  return (
    <ul>
      {live > 0 && (
        <li>
          It still has {countOf(live, 'live machine')} in {countOf(withMachines.length, 'training')} (
          {withMachines.map(({ training }) => training).join(', ')}): delete these first.
        </li>
      )}
      {balancePaise !== 0 && (
        <li>
          {balancePaise > 0 ? `It owes ${inRupees(balancePaise)}` : `It has a credit of ${inRupees(-balancePaise)}`}:
          its balance must be zero.
        </li>
      )}
    </ul>
  )
}

const inRupees = (amount: number) => formatRupees(rupeesOfPaise(paise(amount)))
