import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MISSED_RULE } from '../contract/recurrence-words.ts'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { Weekdays } from '@trainyard/platform/web/ui/Weekdays.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { ActionToggle } from '@trainyard/schedules/web/ActionToggle.tsx'
import styles from '@trainyard/schedules/web/EventForm.module.css'

interface WeeklyFormProps {
  training: TrainingQuery
  timeZone: string
  close: () => void
}

export default function WeeklyForm({ training, timeZone, close }: WeeklyFormProps) {
  const now = useNow()
  const [weekdays, setWeekdays] = useState<number[]>([])
  const [action, setAction] = useState<ScheduleAction>('Start')
  const [time, setTime] = useState('')
  const [from, setFrom] = useState(() => today(now, timeZone))
  const [until, setUntil] = useState('')
  const [tried, setTried] = useState(false)
  const rule = { ...training, action, time, from, until }
  const isComplete = weekdays.length > 0 && time !== '' && from !== '' && until !== ''
  const preview = useQuery(query(api.recurrence.preview, isComplete ? { ...rule, weekdays: weekdays.join(',') } : null))
  const blocking = preview.data?.conflicts.find(({ blocks }) => blocks)
  const saving = useDialogSubmit(api.recurrence.create, ['recurrence', 'schedule'], close)
  return (
    <FormDialog
      title="New Weekly Schedule"
      submit="Schedule Weekly"
      busy={saving.isPending && 'Scheduling...'}
      wide
      onSubmit={() => {
        setTried(true)
        if (isComplete && !preview.isError && blocking === undefined) saving.mutate({ ...rule, weekdays })
      }}
      close={close}
    >
      <Weekdays days={weekdays} change={setWeekdays} />
      <ActionToggle value={action} change={setAction} />
      <div className={styles.times}>
        <TextInput type="time" label="Time" w="9rem" {...controlledText(time, setTime)} />
        <DateField label="From" w="11rem" {...controlledText(from, setFrom)} />
        <DateField label="Until" w="11rem" {...controlledText(until, setUntil)} />
      </div>
      {tried && !isComplete && (
        <p role="alert" className={styles.problem}>
          Choose at least one day of the week, a time, and a first and last day.
        </p>
      )}
      {preview.isError && isComplete && (
        <p role="alert" className={styles.problem}>
          {preview.error.message}
        </p>
      )}
      {preview.data && isComplete && (
        <section aria-label="Preview" className="stack">
          {preview.data.conflicts.map(({ kind, blocks, sentence }) => (
            <p key={kind} role={blocks ? 'alert' : 'status'} className={blocks ? styles.problem : styles.note}>
              {sentence}
            </p>
          ))}
          <p>
            {preview.data.count === 1 ? 'One run' : `${preview.data.count} runs`}, in the zone {timeZone}. The next:
          </p>
          <ul className={styles.list} aria-label="Next runs">
            {preview.data.next.map((run) => (
              <li key={run.at}>
                {WEEKDAYS[(new Date(run.date).getUTCDay() + 6) % 7]} {formatDate(run.date)}, {run.time}
                {run.note !== null && <span className={styles.note}>{run.note}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.hint}>{MISSED_RULE}</p>
    </FormDialog>
  )
}
