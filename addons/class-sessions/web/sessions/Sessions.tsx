import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ClassSession } from '../../contract/class-session.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import type { SessionDraft } from './draft.ts'
import styles from './Sessions.module.css'
import { addDays, isWeek, mondayOf } from './week.ts'
import { WeekGrid } from './WeekGrid.tsx'
import { WeekList } from './WeekList.tsx'

const SessionForm = lazy(() => import('./SessionForm.tsx'))
const SessionDialog = lazy(() => import('./SessionDialog.tsx'))
const CalendarDialog = lazy(() => import('./CalendarDialog.tsx'))
const Holidays = lazy(() => import('./Holidays.tsx'))

/** Poll interval in ms for the states of a session. */
const REFRESH_MS = 10_000

type Open =
  | { readonly dialog: 'form'; readonly draft: SessionDraft }
  | { readonly dialog: 'session'; readonly session: ClassSession }
  | { readonly dialog: 'holidays' | 'link' }

export default function Sessions() {
  const { trainingQuery } = useSelection()
  // Which week is the current one depends on the zone of the training's organisation.
  const schedules = useQuery(query(api.schedule.list, trainingQuery))
  if (trainingQuery === null) return <WithoutTraining />
  if (schedules.data)
    return (
      <SessionsOf key={JSON.stringify(trainingQuery)} training={trainingQuery} timeZone={schedules.data.timeZone} />
    )
  return (
    <Screen>
      <Fetched query={schedules} loading={<Skeleton rows={1} height="38rem" />}>
        {() => null}
      </Fetched>
    </Screen>
  )
}

/** Week calendar of a training's sessions. */
function SessionsOf({ training, timeZone }: { training: TrainingQuery; timeZone: string }) {
  const { role } = useMe()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [{ week, open: opens }, write] = useSearchState<'week' | 'open'>({ replaces: true })
  const day = today(useNow(), timeZone)
  const currentMonday = mondayOf(day)
  const monday = isWeek(week) ? mondayOf(week) : currentMonday
  const turn = (to: string) => write({ week: to === currentMonday ? undefined : to })
  const sessions = useQuery({
    ...query(api.classSession.list, { ...training, from: monday, until: addDays(monday, 6) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const form = (draft: Partial<SessionDraft> = {}): Open => ({
    dialog: 'form',
    draft: { date: monday > day ? monday : day, start: '09:00', stop: '17:00', ...draft },
  })
  const [open, setOpen] = useState<Open | null>(() => (opens === 'session' ? form() : null))
  const close = () => {
    setOpen(null)
    if (opens !== undefined) write({ open: undefined })
  }
  const create = (draft?: Partial<SessionDraft>) => setOpen(form(draft))
  return (
    <Screen
      actions={
        <>
          {/* Instructors of one training do not change holidays, which belong to the organisation. */}
          {role !== 'user' && (
            <Button variant="subtle" px="sm" onClick={() => setOpen({ dialog: 'holidays' })}>
              Holidays
            </Button>
          )}
          <Button variant="subtle" px="sm" onClick={() => setOpen({ dialog: 'link' })}>
            Calendar link
          </Button>
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => create()}>
            New session
          </Button>
        </>
      }
    >
      <div className={`ends ${styles.head}`}>
        <h2 aria-live="polite">
          {formatDate(monday)} to {formatDate(addDays(monday, 6))}
        </h2>
        <Button.Group>
          <Button variant="default" px="sm" aria-label="Previous week" onClick={() => turn(addDays(monday, -7))}>
            Previous
          </Button>
          <Button variant="default" px="sm" disabled={monday === currentMonday} onClick={() => turn(currentMonday)}>
            This week
          </Button>
          <Button variant="default" px="sm" aria-label="Next week" onClick={() => turn(addDays(monday, 7))}>
            Next
          </Button>
        </Button.Group>
      </div>
      <Fetched query={sessions} loading={<Skeleton rows={1} height="35.25rem" />}>
        {(data) => {
          const parts = {
            ...data,
            monday,
            today: day,
            create,
            choose: (session: ClassSession) => setOpen({ dialog: 'session', session }),
          }
          return isNarrow ? <WeekList {...parts} /> : <WeekGrid {...parts} />
        }}
      </Fetched>
      <p className={styles.hint}>
        A session prepares the machines, starts them, opens them to learners and shuts them down.{' '}
        {isNarrow ? '' : 'Drag over the hours of a day to create one. '}
        Times are in the zone {timeZone}.
      </p>
      <Suspense>
        {open?.dialog === 'form' && (
          <SessionForm training={training} draft={open.draft} endsOn={sessions.data?.endsOn ?? null} close={close} />
        )}
        {open?.dialog === 'session' && (
          <SessionDialog
            training={training}
            session={open.session}
            change={(draft) => setOpen({ dialog: 'form', draft })}
            close={close}
          />
        )}
        {open?.dialog === 'link' && <CalendarDialog training={training} close={close} />}
        {open?.dialog === 'holidays' && <Holidays organization={training.organization} today={day} close={close} />}
      </Suspense>
    </Screen>
  )
}
