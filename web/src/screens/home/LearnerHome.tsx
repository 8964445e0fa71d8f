import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { useMe } from '#src/session/me.ts'
import { useTrainings } from '#src/navigation/trainings.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { MyMachines } from './MyMachines.tsx'

/** A learner's machines now, training by training. */
export function LearnerHome() {
  const { organization } = useMe()
  const trainings = useTrainings(organization)
  if (trainings.isError) return <FetchFailed text={trainings.error.message} retry={() => void trainings.refetch()} />
  if (trainings.isPending) return <Skeleton rows={5} height="2.5rem" />
  if (trainings.data.length === 0) return <EmptyState text={EMPTY.machines} />
  return trainings.data.map((training) => <MyMachines key={training} training={training} />)
}
