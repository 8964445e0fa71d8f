import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Button } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

/** Form for the optional last day of the training. Schedules after that day get a warning. */
export function LastDay({ training, endsOn }: { training: TrainingQuery; endsOn: string | null }) {
  const [entered, setEntered] = useState<string | null>(null)
  const day = entered ?? endsOn ?? ''
  const saving = useAction(() => api.recurrence.setEnd({ ...training, endsOn: day === '' ? null : day }), {
    invalidates: ['recurrence'],
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate(undefined, { onSuccess: () => setEntered(null) })
  }
  return (
    <form noValidate onSubmit={save}>
      <DateField
        label="Last day of the training"
        styles={{ wrapper: { maxWidth: '11rem' } }}
        description="Weekly schedules that run after this day show a warning. On this day, machines are not stopped and nothing is deleted."
        inputContainer={(input) => (
          <div className="row">
            {input}
            <Button type="submit" size="sm" variant="default" disabled={day === (endsOn ?? '') || saving.isPending}>
              {saving.isPending ? 'Saving...' : 'Save last day'}
            </Button>
          </div>
        )}
        {...controlledText(day, setEntered)}
      />
    </form>
  )
}
