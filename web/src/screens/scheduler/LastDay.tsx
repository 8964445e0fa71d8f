import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { notify } from '#src/ui/notices.ts'
import styles from './ReadyBy.module.css'

/** Form for the training's last day, optional; schedules after it get a warning. */
export function LastDay({ of, endsOn }: { of: TrainingQuery; endsOn: string | null }) {
  const [typed, setTyped] = useState<string | null>(null)
  const day = typed ?? endsOn ?? ''
  const saving = useDedupedMutation({
    mutationFn: () => api.recurrence.setEnd({ ...of, endsOn: day === '' ? null : day }),
    onSuccess: async ({ message }) => {
      notify.status(message)
      await invalidate('recurrence')
      setTyped(null)
    },
    onError: (error) => notify.alert(error.message, error),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <TextInput
        type="date"
        label="Last day of the training"
        styles={{ wrapper: { maxWidth: '11rem' } }}
        description="Weekly schedules that run after it get a warning. Nothing is stopped or deleted then."
        value={day}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={day === (endsOn ?? '') || saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save last day'}
      </Button>
    </form>
  )
}
