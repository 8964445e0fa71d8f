import { useQueries } from '@tanstack/react-query'
import { useMe } from '#src/session/me.ts'
import { Screen } from '#src/ui/Screen.tsx'
import { AwsHome } from './AwsHome.tsx'
import { AzureHome } from './AzureHome.tsx'
import { Trainings } from './Trainings.tsx'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { useTrainings } from '#src/navigation/trainings.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { machinesOf, MyMachines } from './MyMachines.tsx'
import { useSelection } from '#src/navigation/useSelection.ts'
import { Attention } from './Attention.tsx'

export default function Home() {
  const { role, organization } = useMe()
  return (
    <Screen>
      {role === 'user' && <LearnerHome />}
      {role === 'admin' && <Trainings organization={organization} />}
      {role === 'superadmin' && <SuperadminHome />}
      {role === 'sandboxuser' && <AzureHome />}
      {role === 'awssandboxuser' && <AwsHome />}
    </Screen>
  )
}

function LearnerHome() {
  const { organization } = useMe()
  const trainings = useTrainings(organization)
  if (trainings.isError)
    return <FetchFailed text={trainings.error.message} error={trainings.error} retry={() => void trainings.refetch()} />
  if (trainings.isPending) return <Skeleton rows={5} height="2.5rem" />
  if (trainings.data.length === 0) return <EmptyState text={EMPTY.machines} />
  return <MyTrainings trainings={trainings.data} />
}

function MyTrainings({ trainings }: { trainings: readonly string[] }) {
  const { instructorOf } = useMe()
  const lists = useQueries({ queries: trainings.map(machinesOf) })
  if (lists.some(({ isPending }) => isPending)) return <Skeleton rows={5} height="2.5rem" />
  const machines = lists.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
  return trainings.map((training) => (
    <MyMachines
      key={training}
      training={training}
      large={machines === 1}
      isInstructor={instructorOf?.includes(training) ?? false}
    />
  ))
}

function SuperadminHome() {
  const { organization } = useSelection()
  return (
    <>
      <Attention />
      {organization === null ? (
        <p className="dim">Choose a customer in the sidebar to see its trainings, running machines and costs.</p>
      ) : (
        <Trainings organization={organization} asSuperadmin />
      )}
    </>
  )
}
