import { TextInput } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { isAccessRevoked, TrainingFetchFailed } from '#src/training/Unfetched.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { HandButton } from '#src/training/HandButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useViewMode } from './form.ts'
import { ViewModeSwitch } from './FormSwitch.tsx'
import { Instances } from './Instances.tsx'
import { useMachines } from './machines.ts'
import { Terminated } from './Terminated.tsx'
import { useView } from './useView.ts'

/** Only for admins; loaded after the machines. */
const ReadyNow = lazy(async () => ({ default: (await import('#src/training/ReadyNow.tsx')).ReadyNow }))

export default function Console() {
  const { trainingQuery } = useSelection()
  const { role } = useMe()
  const view = useView()
  const machines = useMachines(trainingQuery)
  // Do not show a cached list after the access window has closed or the user's last machine was handed over.
  const list = isAccessRevoked(machines.error) ? undefined : machines.data
  const alive = useMemo(() => list?.filter((machine) => machine.isAlive), [list])
  const dead = useMemo(() => list?.filter((machine) => !machine.isAlive), [list])
  const [form, choose] = useViewMode(alive?.length ?? 0)
  const search = (
    <TextInput
      type="search"
      size="sm"
      w="17rem"
      maw="100%"
      aria-label="Search instances"
      placeholder="Search"
      leftSection={<Icon name="search" size={16} />}
      value={view.typed}
      onChange={(event) => view.type(event.currentTarget.value)}
    />
  )
  return (
    <Screen
      actions={
        <>
          {trainingQuery && <HandButton of={trainingQuery} />}
          {alive && (alive.length > 1 || view.typed !== '') && (
            <>
              <ViewModeSwitch form={form} choose={choose} />
              {search}
            </>
          )}
        </>
      }
    >
      {trainingQuery && role !== 'user' && (
        <Suspense>
          <ReadyNow of={trainingQuery} />
        </Suspense>
      )}
      {trainingQuery && machines.isError && !list ? (
        <TrainingFetchFailed of={trainingQuery} error={machines.error} retry={() => void machines.refetch()} />
      ) : (
        <Instances key={JSON.stringify(trainingQuery)} of={trainingQuery} machines={alive} view={view} form={form}>
          {trainingQuery ? <Skeleton rows={3} height="12rem" /> : <SelectTraining />}
        </Instances>
      )}
      {dead && <Terminated machines={dead} />}
    </Screen>
  )
}
