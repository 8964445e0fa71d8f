import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { classSession } from '../../contract/class-session.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { Weekdays } from '@trainyard/platform/web/ui/Weekdays.tsx'
import { Ahead } from '@trainyard/usage/web/Ahead.tsx'
import type { SessionDraft } from './draft.ts'
import { dayWords } from './session-words.ts'
import toggle from '@trainyard/schedules/web/EventForm.module.css'
import styles from './Sessions.module.css'
import { addDays, monthEndsAfter } from './week.ts'

/** Weeks that a new weekly class lasts if the training has no last day. */
const DEFAULT_WEEKS = 12

const INVALIDATES = ['classSession', 'schedule', 'recurrence', 'ready', 'accessWindow'] as const

type Creation = BodyOf<typeof classSession.create>
type Change = BodyOf<typeof classSession.change>
type Entered = Omit<Creation, keyof TrainingQuery | 'weekdays'> & { weekdays: number[] }

interface SessionFormProps {
  training: TrainingQuery
  draft: SessionDraft
  endsOn: string | null
  /** Receives the day of the first session that was saved. */
  saved?: (date: string) => void
  close: () => void
}

export default function SessionForm({ training, draft, endsOn, saved, close }: SessionFormProps) {
  const { editedSession } = draft
  const [repeats, setRepeats] = useState(editedSession === undefined || editedSession.scope === 'following')
  const shape = editedSession ? classSession.change.body : classSession.create.body
  const form = useShapedForm<Entered, Creation | Change>({
    shape,
    initialValues: {
      weekdays: [...(editedSession?.weekly?.weekdays ?? draft.weekdays ?? [])],
      from: draft.date,
      start: draft.start,
      stop: draft.stop,
      until: editedSession?.weekly?.until ?? lastDay(draft.date, endsOn),
      limitAccess: editedSession?.limitsAccess ?? true,
      skipHolidays: true,
    },
    bodyOf: ({ weekdays, until, ...entered }) => ({
      ...training,
      ...entered,
      until: repeats ? until : entered.from,
      weekdays: repeats ? weekdays : null,
      ...(editedSession && { sessionId: editedSession.sessionId, scope: editedSession.scope }),
    }),
  })
  const body = form.getTransformedValues()
  const isComplete = shape.safeParse(body).success
  const preview = useQuery(
    query(
      api.classSession.preview,
      isComplete
        ? {
            ...training,
            start: body.start,
            stop: body.stop,
            from: body.from,
            until: body.until,
            ...(body.weekdays && { weekdays: body.weekdays.join(',') }),
            limitAccess: body.limitAccess ? 'true' : 'false',
            skipHolidays: body.skipHolidays ? 'true' : 'false',
            ...(editedSession && { replaces: editedSession.sessionId, scope: editedSession.scope }),
          }
        : null,
    ),
  )
  const saving = useDialogSubmit(
    (sent: Creation | Change, options) =>
      'sessionId' in sent ? api.classSession.change(sent) : api.classSession.create(sent, options),
    INVALIDATES,
    () => {
      close()
      saved?.(preview.data?.next[0]?.date ?? body.from)
    },
  )
  const blocking = preview.data?.conflicts.find(({ blocks }) => blocks)
  const create = repeats ? 'Create sessions' : 'Create session'
  return (
    <FormDialog
      title={titleOf(draft)}
      submit={editedSession ? 'Save' : create}
      busy={saving.isPending && 'Saving...'}
      wide
      onSubmit={form.onSubmit((sent) => {
        if (!preview.isError && blocking === undefined) saving.mutate(sent)
      })}
      close={close}
    >
      {editedSession === undefined && <RepeatsToggle repeats={repeats} change={setRepeats} />}
      {repeats && <Weekdays {...form.getInputProps('weekdays')} />}
      <div className={styles.fields}>
        <TextInput type="time" label="Starts" {...form.getInputProps('start')} />
        <TextInput type="time" label="Ends" {...form.getInputProps('stop')} />
        <DateField label={repeats ? 'From' : 'Date'} {...form.getInputProps('from')} />
        {repeats && <DateField label="Until" {...form.getInputProps('until')} />}
      </div>
      {repeats && (
        <MonthEnds from={body.from} until={body.until} choose={(until) => form.setFieldValue('until', until)} />
      )}
      {(editedSession?.scope !== 'one' || editedSession.weekly === null) && (
        <Checkbox
          label="Learners have access only during sessions"
          {...form.getInputProps('limitAccess', { type: 'checkbox' })}
        />
      )}
      {repeats && <Checkbox label="Leave out holidays" {...form.getInputProps('skipHolidays', { type: 'checkbox' })} />}
      {preview.isError && isComplete && (
        <p role="alert" className={styles.problem}>
          {preview.error.message}
        </p>
      )}
      {preview.data && isComplete && (
        <section aria-label="Preview" className={styles.preview}>
          {preview.data.conflicts.map(({ kind, blocks, sentence }) => (
            <p key={kind} role={blocks ? 'alert' : 'status'} className={blocks ? styles.problem : styles.warning}>
              {sentence}
            </p>
          ))}
          <p>
            <strong>{preview.data.count === 1 ? 'One session' : `${preview.data.count} sessions`}</strong>
            {', '}
            {preview.data.next.map(({ date }) => dayWords(date)).join(', ')}
            {preview.data.count > preview.data.next.length && ' ...'}
          </p>
          {preview.data.next.map(({ date, note }) => note && <p key={date}>{`${dayWords(date)}: ${note}`}</p>)}
          {preview.data.skippedHolidays.length > 0 && (
            <p>
              Left out:{' '}
              {preview.data.skippedHolidays.map(({ date, name }) => `${formatDate(date)} (${name})`).join(', ')}
            </p>
          )}
          {editedSession === undefined && preview.data.costOfAll !== undefined && (
            <p>
              <Ahead {...training} adds={Math.round(preview.data.costOfAll * 100)} />
            </p>
          )}
          <p>
            {preview.data.machines === 1 ? 'One machine is' : `${preview.data.machines} machines are`} started about{' '}
            {preview.data.leadMinutes} minutes earlier, to be ready at {body.start}.
            {preview.data.costOfOne !== undefined && preview.data.costOfAll !== undefined && (
              <>
                {' '}
                Cost at current prices: {formatRupees(preview.data.costOfOne)} per session
                {preview.data.count > 1 && <>, {formatRupees(preview.data.costOfAll)} in all</>}.
              </>
            )}
          </p>
        </section>
      )}
    </FormDialog>
  )
}

interface RepeatsToggleProps {
  repeats: boolean
  change: (repeats: boolean) => void
}

function RepeatsToggle({ repeats, change }: RepeatsToggleProps) {
  const name = useId()
  return (
    <fieldset className={toggle.group}>
      <legend>Repeats</legend>
      <div className={toggle.toggle}>
        {([true, false] as const).map((weekly) => (
          <label key={String(weekly)}>
            <input type="radio" name={name} checked={repeats === weekly} onChange={() => change(weekly)} />
            {weekly ? 'Every week' : 'Once'}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Buttons that set the last day to the end of one of the months after `from`, since a date picker takes many clicks. */
function MonthEnds({ from, until, choose }: { from: string; until: string; choose: (date: string) => void }) {
  if (from === '') return null
  return (
    <fieldset className={toggle.group}>
      <legend>Until the end of</legend>
      <div className={styles.months}>
        {monthEndsAfter(from).map(({ date, month, year }) => (
          <button
            key={date}
            type="button"
            className={styles.month}
            aria-pressed={date === until}
            onClick={() => choose(date)}
          >
            {month}
            <span className="visually-hidden"> {year}</span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const lastDay = (date: string, endsOn: string | null): string =>
  endsOn !== null && endsOn >= date ? endsOn : addDays(date, DEFAULT_WEEKS * 7)

function titleOf({ editedSession, date }: SessionDraft): string {
  if (editedSession === undefined) return 'New session'
  return editedSession.scope === 'one'
    ? `Change session on ${formatDate(date)}`
    : `Change sessions from ${formatDate(date)}`
}
