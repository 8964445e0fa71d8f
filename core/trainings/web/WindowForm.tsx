import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import type { Daily } from './daily-window.ts'
import { Weekdays } from '@trainyard/platform/web/ui/Weekdays.tsx'
import styles from './Restriction.module.css'

const EVERY_DAY: readonly number[] = WEEKDAYS.map((_, index) => index + 1)

/** Changes the hours and the days of an access window. */
export function WindowForm({ training, daily }: { training: TrainingQuery; daily: Daily }) {
  const [edited, setEdited] = useState<Partial<Daily>>({})
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const saved = { ...daily, days: daily.days ?? EVERY_DAY }
  const { start, stop, days } = { ...saved, ...edited, days: edited.days ?? saved.days }
  const isChanged =
    start !== saved.start ||
    stop !== saved.stop ||
    days.length !== saved.days.length ||
    days.some((day) => !saved.days.includes(day))
  const problem =
    start === '' || stop === ''
      ? 'Enter both times.'
      : start === stop
        ? 'Enter two different times.'
        : days.length === 0
          ? 'Choose at least one day of the week.'
          : null
  const saving = useAction(
    () =>
      api.schedule.create(
        {
          ...training,
          data: {
            schedules: [],
            restrictLogin: {
              restrictUserLogin: true,
              userAccessOnTime: start,
              userAccessOffTime: stop,
              userAccessDays: days.length === EVERY_DAY.length ? null : [...days],
            },
          },
        },
        { idempotencyKey },
      ),
    // The next save is a different request, which needs a new idempotency key.
    { invalidates: ['accessWindow'], onSettled: () => setIdempotencyKey(newId()) },
  )
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (problem === null && !saving.isPending) saving.mutate(undefined, { onSuccess: () => setEdited({}) })
  }
  const change = (part: Partial<Daily>) => setEdited((before) => ({ ...before, ...part }))
  return (
    <form className={`no-print ${styles.form}`} noValidate onSubmit={save}>
      <div className="row">
        <TextInput type="time" label="Opens at" {...controlledText(start, (time) => change({ start: time }))} />
        <TextInput type="time" label="Closes at" {...controlledText(stop, (time) => change({ stop: time }))} />
      </div>
      <Weekdays value={days} onChange={(chosen) => change({ days: chosen })} />
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div>
        <Button type="submit" disabled={!isChanged || problem !== null || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Change hours'}
        </Button>
      </div>
    </form>
  )
}
