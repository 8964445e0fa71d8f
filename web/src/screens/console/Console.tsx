import { TextInput } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { isWithheld, Unfetched } from '#src/training/Unfetched.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { HandButton } from '#src/training/HandButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useForm } from './form.ts'
import { FormSwitch } from './FormSwitch.tsx'
import { Instances } from './Instances.tsx'
import { useMachines } from './machines.ts'
import { Terminated } from './Terminated.tsx'
import { useView } from './useView.ts'

/** Admins' alone, and after the machines. */
const ReadyNow = lazy(async () => ({ default: (await import('#src/training/ReadyNow.tsx')).ReadyNow }))

/** Virtual Lab Console: a training's machines, to see and to power. */
export default function Console() {
  const { ofTraining } = useSelection()
  const { role } = useMe()
  const view = useView()
  const machines = useMachines(ofTraining)
  // A list from before the access window closed, or the last machine was handed to somebody else, is not shown.
  const list = isWithheld(machines.error) ? undefined : machines.data
  const alive = useMemo(() => list?.filter((machine) => machine.isAlive), [list])
  const dead = useMemo(() => list?.filter((machine) => !machine.isAlive), [list])
  const [form, choose] = useForm(alive?.length ?? 0)
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
          {ofTraining && <HandButton of={ofTraining} />}
          {alive && (alive.length > 1 || view.typed !== '') && (
            <>
              <FormSwitch form={form} choose={choose} />
              {search}
            </>
          )}
        </>
      }
    >
      {ofTraining && role !== 'user' && (
        <Suspense>
          <ReadyNow of={ofTraining} />
        </Suspense>
      )}
      {ofTraining && machines.isError && !list ? (
        <Unfetched of={ofTraining} error={machines.error} retry={() => void machines.refetch()} />
      ) : (
        <Instances key={JSON.stringify(ofTraining)} of={ofTraining} machines={alive} view={view} form={form}>
          {ofTraining ? <Skeleton rows={3} height="12rem" /> : <SelectTraining />}
        </Instances>
      )}
      {dead && <Terminated machines={dead} />}
    </Screen>
  )
}
