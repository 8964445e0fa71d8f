import { TextInput } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { isAccessRevoked, TrainingFetchFailed } from '#src/training/TrainingFetchFailed.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { HandButton } from '#src/training/HandButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useViewMode, type ViewMode } from './view-mode.ts'
import { Instances } from './Instances.tsx'
import { useMachines } from './machines.ts'
import { useView } from './useView.ts'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { ViewSwitch } from '#src/ui/ViewSwitch.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'

const FORMS: readonly { form: ViewMode; label: string }[] = [
  { form: 'cards', label: 'Cards' },
  { form: 'table', label: 'Table' },
]

const columns: readonly Column<Machine>[] = [
  { id: 'name', header: 'Name', value: (machine) => machine.name },
  { id: 'osType', header: 'OS Type', value: (machine) => machine.osType },
]

function Terminated({ machines }: { machines: readonly Machine[] }) {
  return (
    <section className="stack" aria-labelledby="terminated">
      <h2 id="terminated">Terminated Instances</h2>
      <DataTable
        label="Terminated Instances"
        rows={machines}
        rowId={(machine) => machine._id}
        columns={columns}
        empty={EMPTY.terminated}
        maxHeight="22rem"
      />
    </section>
  )
}

const ReadyNow = lazy(async () => ({ default: (await import('#src/training/ReadyNow.tsx')).ReadyNow }))

export default function Console() {
  const { trainingQuery } = useSelection()
  const { role } = useMe()
  const view = useView()
  const machines = useMachines(trainingQuery)
  // A cached list must not be shown after the access window has closed, or after the user's last machine was handed
  // over.
  const list = isAccessRevoked(machines.error) ? undefined : machines.data
  const alive = useMemo(() => list?.filter((machine) => machine.isAlive), [list])
  const dead = useMemo(() => list?.filter((machine) => !machine.isAlive), [list])
  const [form, choose] = useViewMode(alive?.length ?? 0)
  const search = (
    <TextInput
      type="search"
      size="sm"
      w="min(17rem, 10rem + 10vw)"
      aria-label="Search instances"
      placeholder="Search"
      leftSection={<Icon name="search" size={16} />}
      {...controlledText(view.typed, view.type)}
    />
  )
  return (
    <Screen
      actions={
        <>
          {trainingQuery && <HandButton target={trainingQuery} />}
          {alive && (alive.length > 1 || view.typed !== '') && (
            <>
              <ViewSwitch forms={FORMS} shown={form} choose={choose} />
              {search}
            </>
          )}
        </>
      }
    >
      {trainingQuery && role !== 'user' && (
        <Suspense>
          <ReadyNow training={trainingQuery} />
        </Suspense>
      )}
      {trainingQuery && machines.isError && !list ? (
        <TrainingFetchFailed training={trainingQuery} error={machines.error} retry={() => void machines.refetch()} />
      ) : (
        <Instances
          key={JSON.stringify(trainingQuery)}
          training={trainingQuery}
          machines={alive}
          view={view}
          form={form}
        >
          {trainingQuery ? <Skeleton rows={3} height="12rem" /> : <SelectTraining />}
        </Instances>
      )}
      {dead && <Terminated machines={dead} />}
    </Screen>
  )
}
