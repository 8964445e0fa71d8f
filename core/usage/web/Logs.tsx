import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { isClosed, TrainingFetchFailed } from '@trainyard/trainings/web/TrainingFetchFailed.tsx'
import { useAccess } from '@trainyard/trainings/web/useAccessWindow.ts'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { AllRuns } from './AllRuns.tsx'
import { ALL_MACHINES, chosenMachine } from './chosen.ts'
import { FindMachine } from './FindMachine.tsx'
import { RunTable } from './RunTable.tsx'

/** Poll interval in ms: machines are created and deleted in the meantime. */
const REFRESH_MS = 30_000

const SEEN_AT_ONCE = 12

export default function Logs() {
  const { trainingQuery } = useSelection()
  const [{ vm }, write] = useSearchState<'vm'>()
  const access = useAccess(trainingQuery)
  const names = useQuery({
    ...query(api.machine.names, trainingQuery),
    enabled: access === true,
    refetchInterval: REFRESH_MS,
  })
  const { chosen, listed } = chosenMachine(names.data?.vmList ?? [], vm)
  const choose = (name: string) => write({ vm: name || undefined })
  const placeholder = names.isPending
    ? 'Loading...'
    : listed.length === 0
      ? 'No instances in this training'
      : 'Select an instance'
  const isShut = access === false || isClosed(names.error)
  const failed = trainingQuery && (isShut || names.isError) && (
    <TrainingFetchFailed
      training={trainingQuery}
      access={access}
      error={names.error}
      retry={() => void names.refetch()}
    />
  )

  return (
    <Screen>
      {trainingQuery === null ? (
        <SelectTraining />
      ) : isShut ? (
        failed
      ) : (
        <>
          {failed}
          {listed.length > SEEN_AT_ONCE && names.data && (
            <FindMachine names={names.data.vmList} learners={names.data.learners} choose={choose} />
          )}
          <NativeSelect
            label="Instance"
            w="24rem"
            maw="100%"
            data={[
              { value: '', label: placeholder },
              ...(listed.length > 1 ? [{ value: ALL_MACHINES, label: 'All machines' }] : []),
              ...listed,
            ]}
            {...controlledText(chosen ?? '', choose)}
          />
          {chosen === ALL_MACHINES ? (
            <AllRuns training={trainingQuery} />
          ) : (
            chosen !== null && <RunTable key={chosen} machine={chosen} choose={choose} />
          )}
        </>
      )}
    </Screen>
  )
}
