import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ClassView } from '@trainyard/contract/calls/classroom.ts'
import { useSearchState } from '#src/navigation/useSearchState.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { learnerText } from '#src/machine/machine-list.ts'
import { ReadyNow } from '#src/training/ReadyNow.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { WithoutTraining } from '#src/ui/SelectTraining.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useNow } from '#src/ui/useNow.ts'
import { Actions } from './Actions.tsx'
import styles from './Class.module.css'
import { Notes } from './Notes.tsx'
import { countsOf, type Order, ORDERS, sortSeats, mergeClass } from './seats.ts'
import { SeatTile } from './SeatTile.tsx'
import { TileGrid } from '#src/ui/TileGrid.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, streamUrl } from '#src/api/client.ts'
import { useEventStream } from '#src/api/event-stream.ts'
import { invalidate, query } from '#src/api/queries.ts'

/** Poll interval in ms: measurements age while nothing else changes. */
const REFRESH_MS = 60_000

function useClass(of: TrainingQuery | null) {
  const cache = useQueryClient()
  const list = query(api.classroom.list, of)
  const room = useQuery({ ...list, refetchInterval: REFRESH_MS })
  useEventStream<ClassView>({
    url: of && room.isSuccess ? streamUrl('classroom', 'watch', of) : null,
    onEvent: (changed) => cache.setQueryData(list.queryKey, (before) => before && mergeClass(before, changed)),
    poll: () => void invalidate(api.classroom.list),
  })
  return room
}

export default function Class() {
  const { trainingQuery } = useSelection()
  const seen = useClass(trainingQuery)
  if (trainingQuery === null) return <WithoutTraining />
  return (
    <Screen actions={seen.data && <Actions of={trainingQuery} view={seen.data} />}>
      <Fetched query={seen} loading={<Skeleton rows={4} height="9rem" />}>
        {(view) => <Seats key={JSON.stringify(trainingQuery)} of={trainingQuery} view={view} />}
      </Fetched>
    </Screen>
  )
}

function Seats({ of, view: { room, seats } }: { of: TrainingQuery; view: ClassView }) {
  const minute = useNow().getTime()
  const { namesHidden, hideNames } = useNames()
  const [order, setOrder] = useState<Order>('need')
  const [sought, setSought] = useState('')
  const numbers = useMemo(() => new Map(seats.map(({ machine }, place) => [machine._id, place + 1])), [seats])
  const shown = useMemo(() => {
    const text = namesHidden ? '' : sought.trim().toLowerCase()
    return sortSeats(seats, order, minute).filter(
      ({ machine }) => learnerText(machine).toLowerCase().includes(text) || machine.name.toLowerCase().includes(text),
    )
  }, [seats, order, minute, sought, namesHidden])
  const counts = countsOf(seats, minute)
  return (
    <>
      <Notes of={of} room={room} />
      <ReadyNow of={of} namesHidden={namesHidden} />
      {seats.length === 0 ? (
        <EmptyState text="No learner has a live instance in this training." />
      ) : (
        <section className="stack" aria-labelledby="learners">
          <h2 id="learners" className="visually-hidden">
            Learners
          </h2>
          <div className={`no-print ${styles.tools}`}>
            <p className={styles.counts}>
              <Count of={seats.length} what={seats.length === 1 ? 'learner' : 'learners'} />
              <Count of={counts.running} what="running" />
              <Count of={counts.connected} what="connected" />
              <Count of={counts.hands} what={counts.hands === 1 ? 'hand raised' : 'hands raised'} />
              <Count of={counts.failing} what="failing" />
              <Count of={counts.idle} what="idle" />
            </p>
            <div className={styles.choices}>
              {!namesHidden && (
                <TextInput type="search" label="Search learners" {...controlledText(sought, setSought)} />
              )}
              <NativeSelect
                label="Sort by"
                {...controlledText(order, setOrder)}
                data={Object.entries(ORDERS)
                  .filter(([value]) => !namesHidden || value !== 'learner')
                  .map(([value, label]) => ({ value, label }))}
              />
              <Button
                variant="default"
                leftSection={<Icon name="person" size={16} />}
                aria-pressed={namesHidden}
                onClick={() => hideNames(!namesHidden)}
              >
                {namesHidden ? 'Show names' : 'Hide names'}
              </Button>
            </div>
          </div>
          {shown.length === 0 ? (
            <p className="dim">No learners match the search.</p>
          ) : (
            <TileGrid label="Learners" items={shown} widthMin={248} gap={12} rowHeight={216} overscan={2}>
              {(seat, place) => (
                <SeatTile
                  key={seat.machine._id}
                  of={of}
                  seat={seat}
                  now={minute}
                  hiddenAs={namesHidden ? `Learner ${numbers.get(seat.machine._id)}` : null}
                  place={place}
                  count={shown.length}
                />
              )}
            </TileGrid>
          )}
        </section>
      )}
    </>
  )
}

const Count = ({ of, what }: { of: number; what: string }) => (
  <span data-none={of === 0 || undefined}>
    <strong>{of}</strong> {what}
  </span>
)

function useNames() {
  const [{ names }, write] = useSearchState<'names'>({ replaces: true })
  return {
    namesHidden: names === 'hidden',
    hideNames: (hidden: boolean) => write({ names: hidden ? 'hidden' : undefined }),
  }
}
