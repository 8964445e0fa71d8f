import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import type { Machine } from '../contract/machine.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { useCapture, useCommands, type Command } from './commands.ts'
import type { ViewMode } from './view-mode.ts'
import { MachineDialogs } from './MachineDialogs.tsx'
import { MachineCard } from './MachineCard.tsx'
import { TileGrid } from '@trainyard/platform/web/ui/TileGrid.tsx'
import { NONE_SELECTED, powerOffProblem, powerOnProblem, restartProblem, toggleOne } from './machine-selection.ts'
import { StatusFilter } from './StatusFilter.tsx'
import { MachineTable } from './table/MachineTable.tsx'
import { Toolbar } from './Toolbar.tsx'
import type { ChangeableView } from './useView.ts'
import { filterMachines, sortMachines } from './view.ts'

const MachineDetails = lazy(() => import('./MachineDetails.tsx'))
const AskFirst = lazy(() => import('./AskFirst.tsx'))

/** Returns true if a command creates machines before their time, or ends the work of several learners. */
const mustAsk = (command: Command, machines: readonly Machine[]): boolean =>
  command === 'on' ? machines.some(({ status }) => status === 'Planned') : command === 'restart' && machines.length > 1

const NOTHING_FOUND = 'No matches.'

interface InstancesProps {
  training: TrainingQuery | null
  view: ChangeableView
  form: ViewMode
  machines: readonly Machine[] | undefined
  children: ReactNode
}

const problemOf: Record<Command, (selected: readonly Machine[]) => string | null> = {
  on: powerOnProblem,
  off: powerOffProblem,
  restart: restartProblem,
}

export function Instances({ training, machines, view, form, children }: InstancesProps) {
  const me = useMe()
  const { command, isSending } = useCommands(training)
  const capture = useCapture()
  const [selected, setSelected] = useState(NONE_SELECTED)
  const [asked, setAsked] = useState<{ readonly command: Command; readonly machines: readonly Machine[] } | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const { find, state, sort } = view
  const visibleMachines = useMemo(() => {
    const found = filterMachines(machines ?? [], { find, state })
    return form === 'table' ? sortMachines(found, sort) : found
  }, [machines, find, state, sort, form])
  // Commands apply only to visible machines, not to machines that a search hides.
  const chosen = useMemo(
    () => visibleMachines.filter((machine) => selected.has(machine._id)),
    [visibleMachines, selected],
  )

  const toggle = useCallback((id: string) => setSelected((now) => toggleOne(now, id)), [])
  const act = useCallback(
    (wanted: Command, on: readonly Machine[]) => {
      // The second click of a double click would fail, because the first click has already changed the status.
      if (on.length > 0 && isSending({ command: wanted, machines: on })) return
      const problem = problemOf[wanted](on)
      if (problem !== null) notify.alert(problem)
      else if (me.role !== 'user' && mustAsk(wanted, on)) setAsked({ command: wanted, machines: on })
      else command({ command: wanted, machines: on })
    },
    [command, isSending, me.role],
  )
  const inDetail = machines?.find(({ _id }) => _id === opened)
  const close = () => setAsked(null)
  const confirm = () => {
    close()
    command(asked!)
  }

  return (
    <MachineDialogs training={training}>
      <section className="stack" aria-labelledby="instances">
        <h2 id="instances" className="visually-hidden">
          Instances
        </h2>
        <Toolbar
          withTraining={training !== null}
          machines={machines ?? []}
          shown={visibleMachines}
          chosen={chosen}
          select={setSelected}
          act={(wanted) => act(wanted, chosen)}
          capture={me.role === 'user' ? null : capture}
        />
        {machines === undefined ? (
          children
        ) : machines.length === 0 ? (
          <EmptyState text={EMPTY.machines} />
        ) : (
          <>
            <StatusFilter machines={machines} chosen={state} choose={view.chooseState} />
            {form === 'table' ? (
              <div className="beside">
                <MachineTable
                  machines={visibleMachines}
                  selected={selected}
                  select={setSelected}
                  showLearner={me.role !== 'user'}
                  sort={sort}
                  sortBy={view.sortBy}
                  act={act}
                  opened={opened}
                  open={setOpened}
                  empty={NOTHING_FOUND}
                />
                {inDetail !== undefined && training !== null && (
                  <Suspense>
                    <MachineDetails
                      key={inDetail._id}
                      machine={inDetail}
                      training={training}
                      showLearner={me.role !== 'user'}
                      act={act}
                      close={() => setOpened(null)}
                    />
                  </Suspense>
                )}
              </div>
            ) : visibleMachines.length === 0 ? (
              <p className="dim">{NOTHING_FOUND}</p>
            ) : (
              <TileGrid label="Instances" items={visibleMachines} widthMin={304} gap={16} rowHeight={338} overscan={3}>
                {(machine, place) => (
                  <MachineCard
                    key={machine._id}
                    machine={machine}
                    isSelected={selected.has(machine._id)}
                    showLearner={me.role !== 'user'}
                    place={place}
                    setSize={visibleMachines.length}
                    toggle={toggle}
                    act={act}
                  />
                )}
              </TileGrid>
            )}
          </>
        )}
      </section>
      <Suspense>{asked && <AskFirst training={training!} {...asked} confirm={confirm} close={close} />}</Suspense>
    </MachineDialogs>
  )
}
