import IconPlus from '@tabler/icons-react/icons/IconPlus'
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
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import type { SessionDraft } from './draft.ts'
import styles from './Sessions.module.css'
import { DayList } from './DayList.tsx'
import { formatMonth, monthAfter, weeksOf } from './month.ts'
import { MonthGrid } from './MonthGrid.tsx'
import { addDays, daysOfWeek, isWeek, mondayOf } from './week.ts'
import { WeekGrid } from './WeekGrid.tsx'

const SessionForm = lazy(() => import('./SessionForm.tsx'))
const SessionDialog = lazy(() => import('./SessionDialog.tsx'))
const CalendarDialog = lazy(() => import('./CalendarDialog.tsx'))
const Holidays = lazy(() => import('./Holidays.tsx'))

const FORMS = [
  { form: 'week', label: 'Week' },
  { form: 'month', label: 'Month' },
] as const

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
      <SessionsOf
        key={JSON.stringify(trainingQuery)}
        training={trainingQuery}
        timeZone={schedules.data.timeZone}
        planned={schedules.data.schedules.filter(({ status }) => status === 'Pending').map(({ date }) => date)}
      />
    )
  return (
    <Screen>
      <Fetched query={schedules} loading={<Skeleton rows={1} height="38rem" />}>
        {() => null}
      </Fetched>
    </Screen>
  )
}

interface SessionsOfProps {
  training: TrainingQuery
  timeZone: string
  /** Days with pending schedules, in order. */
  planned: readonly string[]
}

/** Calendar of a training's sessions, by week or by month. */
function SessionsOf({ training, timeZone, planned }: SessionsOfProps) {
  const { role } = useMe()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [{ week, show, open: opens }, write] = useSearchState<'week' | 'show' | 'open'>({ replaces: true })
  const day = today(useNow(), timeZone)
  const shown = isWeek(week) ? week : day
  const isMonthShown = show === 'month'
  const [monday, month] = [mondayOf(shown), shown.slice(0, 7)]
  const days = isMonthShown ? weeksOf(month).flat() : daysOfWeek(monday)
  const first = isMonthShown ? `${month}-01` : monday
  const unitOf = (date: string) => (isMonthShown ? date.slice(0, 7) : mondayOf(date))
  const turn = (to: string) => write({ week: unitOf(to) === unitOf(day) ? undefined : to })
  const step = (by: 1 | -1) => (isMonthShown ? `${monthAfter(month, by)}-01` : addDays(monday, by * 7))
  const isCurrent = isMonthShown ? month === day.slice(0, 7) : monday === mondayOf(day)
  const sessions = useQuery({
    ...query(api.classSession.list, { ...training, from: days[0]!, until: days.at(-1)! }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const form = (draft: Partial<SessionDraft> = {}): Open => ({
    dialog: 'form',
    draft: { date: first > day ? first : day, start: '09:00', stop: '17:00', ...draft },
  })
  const [open, setOpen] = useState<Open | null>(() => (opens === 'session' ? form() : null))
  const unit = isMonthShown ? 'month' : 'week'
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
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create()}>
            New session
          </Button>
        </>
      }
    >
      <div className={`ends ${styles.head}`}>
        <h2 aria-live="polite">
          {isMonthShown ? formatMonth(month) : `${formatDate(monday)} to ${formatDate(addDays(monday, 6))}`}
        </h2>
        <div className="row">
          <ViewSwitch
            forms={FORMS}
            shown={isMonthShown ? 'month' : 'week'}
            choose={(form) => write({ show: form === 'month' ? 'month' : undefined })}
          />
          <Button.Group>
            <Button variant="default" px="sm" aria-label={`Previous ${unit}`} onClick={() => turn(step(-1))}>
              Previous
            </Button>
            <Button variant="default" px="sm" disabled={isCurrent} onClick={() => turn(day)}>
              This {unit}
            </Button>
            <Button variant="default" px="sm" aria-label={`Next ${unit}`} onClick={() => turn(step(1))}>
              Next
            </Button>
          </Button.Group>
        </div>
      </div>
      <Fetched query={sessions} loading={<Skeleton rows={1} height="35.25rem" />}>
        {(data) => {
          const parts = {
            ...data,
            today: day,
            create,
            choose: (session: ClassSession) => setOpen({ dialog: 'session', session }),
          }
          const hasPlans = (date: string) =>
            [...data.sessions, ...data.events].some((each) => each.date === date) && date.startsWith(month)
          const next = planned.find((date) => date > days.at(-1)!)
          return (
            <>
              {data.sessions.length === 0 && data.events.length === 0 && (
                <output className={styles.hint}>
                  Nothing is planned in this {unit}.{' '}
                  {next !== undefined && (
                    <TextButton onClick={() => turn(next)}>Go to the next, {formatDate(next)}</TextButton>
                  )}
                </output>
              )}
              {isNarrow ? (
                <DayList
                  {...parts}
                  days={isMonthShown ? days.filter(hasPlans) : days}
                  label={isMonthShown ? formatMonth(month) : 'Days of the week'}
                />
              ) : isMonthShown ? (
                <MonthGrid {...parts} month={month} open={(date) => write({ week: date, show: undefined })} />
              ) : (
                <WeekGrid {...parts} monday={monday} change={(draft) => setOpen({ dialog: 'form', draft })} />
              )}
            </>
          )
        }}
      </Fetched>
      <p className={styles.hint}>
        A session prepares the machines, starts them, opens them to learners and shuts them down.{' '}
        {isNarrow || isMonthShown
          ? ''
          : 'Drag over the hours of a day to create one. Drag a session to move it, or press Shift and an arrow key on it. '}
        Times are in the zone {timeZone}.
      </p>
      <Suspense>
        {open?.dialog === 'form' && (
          <SessionForm
            training={training}
            draft={open.draft}
            endsOn={sessions.data?.endsOn ?? null}
            saved={turn}
            close={close}
          />
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
