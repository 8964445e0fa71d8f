import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { AwsHome } from './AwsHome.tsx'
import { AzureHome } from './AzureHome.tsx'
import { Trainings } from './Trainings.tsx'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { useOrganisations, useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { machinesOf, MyMachines } from './MyMachines.tsx'
import { useAccessTo } from '@trainyard/trainings/web/useAccessWindow.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { Attention } from './Attention.tsx'
import { RunningNow } from './RunningNow.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { homeFirst } from './slots.ts'

/** Used minutes from which a learner no longer sees the first steps, even if the machine was never opened here. */
const KNOWN_AFTER_MINUTES = 60

export default function Home() {
  const { role } = useMe()
  return (
    <Screen
      actions={
        role === 'admin' && (
          <Button
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/createvm" {...props} />}
          >
            Provision New Instance
          </Button>
        )
      }
    >
      {role === 'user' && <LearnerHome />}
      {role === 'admin' && <AdminHome />}
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
  const queries = trainings.map((trainingName) => ({ trainingName }))
  const access = useAccessTo(queries)
  const lists = useQueries({ queries: queries.map((training, place) => machinesOf(training, access[place]!)) })
  // A repeated read without data is pending too, and must not replace the trainings that repeat it.
  if (lists.some(({ isFetched }, place) => !isFetched && access[place] !== false))
    return <Skeleton rows={5} height="2.5rem" />
  const machines = lists.flatMap(({ data }) => data ?? [])
  const [first] = machines
  const isNew =
    machines.length === 1 && first!.guacamole && first!.readyAt === null && first!.quota.consumed < KNOWN_AFTER_MINUTES
  return (
    <>
      {isNew && <Fills of={homeFirst} props={{ viewer: 'user', machine: first! }} />}
      {trainings.map((training) => (
        <MyMachines
          key={training}
          training={training}
          large={machines.length === 1}
          isInstructor={instructorOf?.includes(training) ?? false}
        />
      ))}
    </>
  )
}

function AdminHome() {
  const { organization } = useMe()
  const trainings = useTrainings(organization)
  return (
    <>
      {trainings.data?.length === 0 && <Fills of={homeFirst} props={{ viewer: 'admin', organization }} />}
      <Trainings organization={organization} />
    </>
  )
}

function SuperadminHome() {
  const { organization } = useSelection()
  const customers = useOrganisations(true).data
  return (
    <>
      {customers !== undefined && customers.length <= 1 && (
        <Fills of={homeFirst} props={{ viewer: 'superadmin', customer: customers[0] ?? null }} />
      )}
      <Attention />
      {organization === null ? (
        <>
          <RunningNow />
          <p className="dim">Choose a customer in the sidebar to see its trainings, running machines and costs.</p>
        </>
      ) : (
        <Trainings organization={organization} asSuperadmin />
      )}
    </>
  )
}
