import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { TextInput } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { consoleTop } from './slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { learnerTools } from '@trainyard/trainings/web/slots.ts'
import { isAccessRevoked, TrainingFetchFailed } from '@trainyard/trainings/web/TrainingFetchFailed.tsx'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { storeViewMode, viewModeFor, type ViewMode } from './view-mode.ts'
import { Instances } from './Instances.tsx'
import { useMachines } from './machines.ts'
import { useView } from './useView.ts'
import type { Machine } from '../contract/machine.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const FORMS: readonly { form: ViewMode; label: string }[] = [
  { form: 'cards', label: 'Cards' },
  { form: 'table', label: 'Table' },
]

const columns: readonly Column<Machine>[] = [
  { id: 'name', header: 'Name', value: (machine) => machine.name },
  { id: 'osType', header: 'OS Type', value: (machine) => machine.osType },
]

// Most trainings have no terminated machines, so the code of tables is not part of the first load.
const DataTable = lazy(async () => ({
  default: (await import('@trainyard/platform/web/ui/table/DataTable.tsx')).DataTable<Machine>,
}))

const Terminated = ({ machines }: { machines: readonly Machine[] }) => (
  <section className="stack" aria-labelledby="terminated">
    <h2 id="terminated">Terminated Instances</h2>
    {machines.length === 0 ? (
      <EmptyState text={EMPTY.terminated} />
    ) : (
      <Suspense>
        <DataTable
          label="Terminated Instances"
          rows={machines}
          rowId={(machine) => machine._id}
          columns={columns}
          empty={EMPTY.terminated}
          maxHeight="22rem"
        />
      </Suspense>
    )}
  </section>
)

function useViewMode(count: number): [ViewMode, (form: ViewMode) => void] {
  const [, setChosen] = useState(0)
  return [
    viewModeFor(count),
    (form) => {
      storeViewMode(count, form)
      setChosen((times) => times + 1)
    },
  ]
}

export default function Console() {
  const { trainingQuery } = useSelection()
  const view = useView()
  const { machines, access } = useMachines(trainingQuery)
  // A cached list must not be shown after the access window has closed, or after the user's last machine was handed
  // over.
  const list = access === false || isAccessRevoked(machines.error) ? undefined : machines.data
  const alive = useMemo(() => list?.filter((machine) => machine.isAlive), [list])
  const terminated = useMemo(() => list?.filter((machine) => !machine.isAlive), [list])
  const [form, choose] = useViewMode(alive?.length ?? 0)
  const search = (
    <TextInput
      type="search"
      size="sm"
      w="min(17rem, 10rem + 10vw)"
      aria-label="Search instances"
      placeholder="Search"
      leftSection={<IconSearch size={16} aria-hidden />}
      {...controlledText(view.entered, view.type)}
    />
  )
  return (
    <Screen
      actions={
        <>
          {trainingQuery && <Fills of={learnerTools} props={{ target: trainingQuery }} />}
          {alive && (alive.length > 1 || view.entered !== '') && (
            <>
              <ViewSwitch forms={FORMS} shown={form} choose={choose} />
              {search}
            </>
          )}
        </>
      }
    >
      {trainingQuery && <Fills of={consoleTop} props={{ training: trainingQuery }} />}
      {trainingQuery && (access === false || machines.isError) && !list ? (
        <TrainingFetchFailed
          training={trainingQuery}
          access={access}
          error={machines.error}
          retry={() => void machines.refetch()}
        />
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
      {terminated && <Terminated machines={terminated} />}
    </Screen>
  )
}
