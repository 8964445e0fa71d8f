import { Button } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { Daily } from './daily-window.ts'
import { Weekdays } from '@trainyard/platform/web/ui/Weekdays.tsx'
import styles from './Restriction.module.css'

const EVERY_DAY: readonly number[] = WEEKDAYS.map((_, index) => index + 1)

export function WindowDays({ training, daily }: { training: TrainingQuery; daily: Daily }) {
  const [editedDays, setEditedDays] = useState<readonly number[] | null>(null)
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const savedDays = daily.days ?? EVERY_DAY
  const days = editedDays ?? savedDays
  const isChanged = days.length !== savedDays.length || days.some((day) => !savedDays.includes(day))
  const saving = useAction(
    () =>
      api.schedule.create(
        {
          ...training,
          data: {
            schedules: [],
            restrictLogin: {
              restrictUserLogin: true,
              userAccessOnTime: daily.start,
              userAccessOffTime: daily.stop,
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
    if (days.length > 0 && !saving.isPending) saving.mutate(undefined, { onSuccess: () => setEditedDays(null) })
  }
  return (
    <form className={`no-print ${styles.days}`} onSubmit={save}>
      <Weekdays days={days} change={setEditedDays} />
      {days.length === 0 && (
        <p role="alert" className={styles.problem}>
          Choose at least one day of the week.
        </p>
      )}
      <div>
        <Button type="submit" disabled={!isChanged || days.length === 0 || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save days'}
        </Button>
      </div>
    </form>
  )
}
