import IconEyeOff from '@tabler/icons-react/icons/IconEyeOff'
import IconUser from '@tabler/icons-react/icons/IconUser'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { ClassView } from '../contract/classroom.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { learnerText } from '@trainyard/machines/web/machine-list.ts'
import { MachineDialogs } from '@trainyard/machines/web/MachineDialogs.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { trainingStatus } from '@trainyard/trainings/web/slots.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { Actions } from './Actions.tsx'
import styles from './Class.module.css'
import { Announcement, Notes } from './Notes.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import {
  countOfSeats,
  type Filter,
  FILTERS,
  matches,
  mergeClass,
  type Order,
  ORDERS,
  queueOf,
  sortSeats,
} from './seats.ts'
import { SeatChip } from './SeatChip.tsx'
import { useIsNarrow } from './useIsNarrow.ts'
import { ViewMenu } from './ViewMenu.tsx'
import { CountFilter } from '@trainyard/platform/web/ui/CountFilter.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { NotifyMe } from './NotifyMe.tsx'
import { TileGrid } from '@trainyard/platform/web/ui/TileGrid.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'

const SeatTile = lazy(() => import('./SeatTile.tsx').then((module) => ({ default: module.SeatTile })))
const AddLearner = lazy(() => import('@trainyard/machines/web/AddLearner.tsx'))
const SeatDialog = lazy(() => import('./SeatDialog.tsx'))

const FORMS = [
  { form: 'compact', label: 'Compact' },
  { form: 'large', label: 'Large' },
] as const

/** Poll interval in ms, because measurements become older while nothing else changes. */
const REFRESH_MS = 60_000

function useClass(training: TrainingQuery | null) {
  const cache = useQueryClient()
  const list = query(api.classroom.list, training)
  const room = useQuery({ ...list, refetchInterval: REFRESH_MS })
  useEventStream<ClassView>({
    url: training && room.isSuccess ? streamUrl('classroom', 'watch', training) : null,
    onEvent(changed) {
      const hands = countOfSeats(cache.getQueryData(list.queryKey)?.seats ?? [], 'hands', 0)
      const after = cache.setQueryData(list.queryKey, (before) => before && mergeClass(before, changed))
      // The sidebar counts the hands of all classes.
      if (countOfSeats(after?.seats ?? [], 'hands', 0) !== hands) void invalidate(api.classroom.hands)
    },
    poll: () => void invalidate(api.classroom.list),
  })
  return room
}

export default function Class() {
  const { trainingQuery } = useSelection()
  const classState = useClass(trainingQuery)
  if (trainingQuery === null) return <WithoutTraining />
  return (
    <Screen actions={classState.data && <Actions training={trainingQuery} view={classState.data} />}>
      <Fetched query={classState} loading={<Skeleton rows={4} height="9rem" />}>
        {(view) => (
          <MachineDialogs training={trainingQuery}>
            <Seats key={JSON.stringify(trainingQuery)} training={trainingQuery} view={view} />
          </MachineDialogs>
        )}
      </Fetched>
    </Screen>
  )
}

function Seats({ training, view: { room, seats } }: { training: TrainingQuery; view: ClassView }) {
  const { role } = useMe()
  const minute = useNow().getTime()
  const { namesHidden, hideNames, isLarge, choose, filter, showOnly } = useView()
  const [opened, setOpened] = useState<string | null>(null)
  const open = useCallback((machine: string) => setOpened(machine), [])
  const [order, setOrder] = useState<Order>('need')
  const [searchText, setSearchText] = useState('')
  const numbers = useMemo(() => new Map(seats.map(({ machine }, place) => [machine._id, place + 1])), [seats])
  const visibleSeats = useMemo(() => {
    const text = namesHidden ? '' : searchText.trim().toLowerCase()
    return sortSeats(seats, order, minute).filter(
      (seat) =>
        (filter === null || matches(seat, filter, minute)) &&
        [learnerText(seat.machine), seat.machine.name].some((each) => each.toLowerCase().includes(text)),
    )
  }, [seats, order, minute, searchText, namesHidden, filter])
  const queue = useMemo(() => queueOf(seats), [seats])
  const [stuck, setStuck] = useState<ReadonlyMap<string, string>>(new Map())
  const hiddenAs = (id: string) => (namesHidden ? `Learner ${numbers.get(id)}` : null)
  const isNarrow = useIsNarrow()
  const [isAdding, setAdding] = useState(false)
  const search = !namesHidden && (
    <TextInput
      type="search"
      className={styles.search}
      aria-label="Search learners"
      placeholder="Search learners"
      {...controlledText(searchText, setSearchText)}
    />
  )
  const orders = (Object.entries(ORDERS) as [Order, string][])
    .filter(([value]) => !namesHidden || value !== 'learner')
    .map(([value, label]) => ({ value, label }))
  const inDialog = seats.find(({ machine }) => machine._id === opened)
  return (
    <>
      <Announcement training={training} room={room} />
      <div className={styles.around}>
        <Notes room={room} />
        <Fills of={trainingStatus} props={{ training, namesHidden, foundStuck: setStuck }} />
      </div>
      {seats.length === 0 ? (
        <EmptyState text="No learner has a live instance in this training." />
      ) : (
        <section className="stack" aria-labelledby="learners">
          <h2 id="learners" className="visually-hidden">
            Learners
          </h2>
          <div className={`no-print ${styles.tools}`}>
            <CountFilter<Filter | null>
              label="Show only"
              options={[
                { value: null, label: 'Everyone', count: seats.length },
                ...(Object.keys(FILTERS) as Filter[])
                  .map((value) => ({ value, label: FILTERS[value], count: countOfSeats(seats, value, minute) }))
                  .filter(
                    ({ value, count }) =>
                      value === filter || value === 'hands' || value === 'failing' || (count > 0 && !isNarrow),
                  )
                  .map((option) => ({ ...option, warns: option.value === 'failing' && option.count > 0 })),
              ]}
              chosen={filter}
              choose={(value) => showOnly(value === filter ? null : value)}
            />
            {isNarrow ? (
              <div className={styles.choices}>
                {search}
                <ViewMenu
                  choices={[
                    ...FORMS.map(({ form, label }) => ({
                      label,
                      isChosen: (form === 'large') === isLarge,
                      choose: () => choose(form),
                    })),
                    ...orders.map(({ value, label }) => ({
                      label: `Sort by: ${label}`,
                      isChosen: value === order,
                      choose: () => setOrder(value),
                    })),
                    ...(role === 'user'
                      ? []
                      : [{ label: 'Add learner', isChosen: false, choose: () => setAdding(true) }]),
                    {
                      label: namesHidden ? 'Show names' : 'Hide names',
                      isChosen: false,
                      choose: () => hideNames(!namesHidden),
                    },
                  ]}
                />
              </div>
            ) : (
              <div className={styles.choices}>
                <NotifyMe />
                <ViewSwitch forms={FORMS} shown={isLarge ? 'large' : 'compact'} choose={choose} />
                {search}
                <NativeSelect
                  aria-label="Sort by"
                  title="Sort by"
                  {...controlledText(order, setOrder)}
                  data={[...orders]}
                />
                {role !== 'user' && (
                  <Button
                    variant="default"
                    leftSection={<IconUser size={16} aria-hidden />}
                    onClick={() => setAdding(true)}
                  >
                    Add learner
                  </Button>
                )}
                <Button
                  variant="default"
                  leftSection={<IconEyeOff size={16} aria-hidden />}
                  aria-pressed={namesHidden}
                  onClick={() => hideNames(!namesHidden)}
                >
                  {namesHidden ? 'Show names' : 'Hide names'}
                </Button>
              </div>
            )}
          </div>
          {isAdding && (
            <Suspense>
              <AddLearner training={training} close={() => setAdding(false)} />
            </Suspense>
          )}
          <div className={styles.room}>
            <NeedsYou seats={seats} queue={queue} stuck={stuck} hiddenAs={hiddenAs} open={open} />
            <div>
              {visibleSeats.length === 0 ? (
                <p className="dim">No learners match.</p>
              ) : (
                <Suspense fallback={<Skeleton rows={4} height="9rem" />}>
                  {isLarge ? (
                    <TileGrid
                      label="Learners"
                      items={visibleSeats}
                      widthMin={248}
                      gap={12}
                      rowHeight={216}
                      overscan={2}
                    >
                      {(seat, place) => (
                        <SeatTile
                          key={seat.machine._id}
                          training={training}
                          seat={seat}
                          now={minute}
                          hiddenAs={hiddenAs(seat.machine._id)}
                          queued={queue.get(seat.machine._id)}
                          place={place}
                          count={visibleSeats.length}
                        />
                      )}
                    </TileGrid>
                  ) : (
                    <TileGrid label="Learners" items={visibleSeats} widthMin={140} gap={4} rowHeight={44} overscan={4}>
                      {(seat, place) => (
                        <SeatChip
                          key={seat.machine._id}
                          training={training}
                          seat={seat}
                          now={minute}
                          hiddenAs={hiddenAs(seat.machine._id)}
                          queued={queue.get(seat.machine._id)}
                          place={place}
                          count={visibleSeats.length}
                          open={open}
                        />
                      )}
                    </TileGrid>
                  )}
                </Suspense>
              )}
            </div>
          </div>
        </section>
      )}
      {inDialog && (
        <Suspense fallback={null}>
          <SeatDialog
            training={training}
            seat={inDialog}
            now={minute}
            hiddenAs={hiddenAs(inDialog.machine._id)}
            queued={queue.get(inDialog.machine._id)}
            close={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  )
}

function useView() {
  const [{ names, seats, show }, write] = useSearchState<'names' | 'seats' | 'show'>({ replaces: true })
  return {
    namesHidden: names === 'hidden',
    hideNames: (hidden: boolean) => write({ names: hidden ? 'hidden' : undefined }),
    filter: (Object.keys(FILTERS) as Filter[]).find((filter) => filter === show) ?? null,
    showOnly: (filter: Filter | null) => write({ show: filter ?? undefined }),
    isLarge: seats === 'large',
    choose: (form: 'compact' | 'large') => write({ seats: form === 'large' ? 'large' : undefined }),
  }
}
