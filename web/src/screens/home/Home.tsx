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
import { MyMachines } from './MyMachines.tsx'
import { useSelection } from '#src/navigation/useSelection.ts'
import { Attention } from './Attention.tsx'

/** Home: the content that each role most likely came for. */
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

/** A learner's machines now, training by training. */
function LearnerHome() {
  const { organization } = useMe()
  const trainings = useTrainings(organization)
  if (trainings.isError)
    return <FetchFailed text={trainings.error.message} error={trainings.error} retry={() => void trainings.refetch()} />
  if (trainings.isPending) return <Skeleton rows={5} height="2.5rem" />
  if (trainings.data.length === 0) return <EmptyState text={EMPTY.machines} />
  return trainings.data.map((training) => <MyMachines key={training} training={training} />)
}

/** Things that need attention, and the trainings of the customer chosen in the sidebar. */
function SuperadminHome() {
  const { organization } = useSelection()
  return (
    <>
      <Attention />
      {organization === null ? (
        <p className="dim">Choose a customer in the sidebar to see its trainings, what runs, and what it costs.</p>
      ) : (
        <Trainings organization={organization} asSuperadmin />
      )}
    </>
  )
}
