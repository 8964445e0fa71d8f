import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { recurrence } from '../contract/recurrence.ts'
import { MISSED_RULE } from '../contract/recurrence-words.ts'
import { WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { Weekdays } from '@trainyard/platform/web/ui/Weekdays.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { ActionToggle } from '@trainyard/schedules/web/ActionToggle.tsx'
import styles from '@trainyard/schedules/web/EventForm.module.css'

interface WeeklyFormProps {
  training: TrainingQuery
  timeZone: string
  close: () => void
}

type Rule = Omit<BodyOf<typeof recurrence.create>, keyof TrainingQuery>

export default function WeeklyForm({ training, timeZone, close }: WeeklyFormProps) {
  const now = useNow()
  const form = useShapedForm<Rule, BodyOf<typeof recurrence.create>>({
    shape: recurrence.create.body,
    initialValues: { weekdays: [], action: 'Start', time: '', from: today(now, timeZone), until: '' },
    bodyOf: (entered) => ({ ...training, ...entered }),
  })
  const rule = form.getTransformedValues()
  const isComplete = recurrence.create.body.safeParse(rule).success
  const preview = useQuery(
    query(api.recurrence.preview, isComplete ? { ...rule, weekdays: rule.weekdays.join(',') } : null),
  )
  const blocking = preview.data?.conflicts.find(({ blocks }) => blocks)
  const saving = useDialogSubmit(api.recurrence.create, ['recurrence', 'schedule'], close)
  return (
    <FormDialog
      title="New Weekly Schedule"
      submit="Schedule Weekly"
      busy={saving.isPending && 'Scheduling...'}
      wide
      onSubmit={form.onSubmit((body) => {
        if (!preview.isError && blocking === undefined) saving.mutate(body)
      })}
      close={close}
    >
      <Weekdays {...form.getInputProps('weekdays')} />
      <ActionToggle value={rule.action} change={(action) => form.setFieldValue('action', action)} />
      <div className={styles.times}>
        <TextInput type="time" label="Time" w="9rem" {...form.getInputProps('time')} />
        <DateField label="From" w="11rem" {...form.getInputProps('from')} />
        <DateField label="Until" w="11rem" {...form.getInputProps('until')} />
      </div>
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
