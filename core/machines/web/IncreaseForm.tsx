import { Button, TextInput } from '@mantine/core'
import { useId, useState, type FormEvent } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { numberProblem } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { hoursText } from '@trainyard/platform/web/ui/hours.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { increaseOf, type Increase } from './increase.ts'
import styles from './Quota.module.css'

interface IncreaseFormProps {
  training: TrainingQuery
  /** In minutes. */
  total: number
}

/** Form that increases the quota. The server distributes the increase over the machines that have a limit. */
export function IncreaseForm({ training, total }: IncreaseFormProps) {
  const hint = useId()
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  // Each increase has a new key, so that the user can send the same increase twice on purpose.
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const increase = increaseOf(entered)
  const sending = useDedupedMutation({
    mutationFn: ({ minutes }: Increase) =>
      api.quota.increase({ ...training, increaseBy: minutes }, { idempotencyKey: `${idempotencyKey} ${minutes}` }),
    onSuccess: (_, { hours }) => {
      notify.status(ALERTS.quotaIncreased(hours))
      setEntered('')
      setTried(false)
      setIdempotencyKey(newId())
      return invalidate('quota', 'machine')
    },
    onError: (error) => {
      const reason = sentenceOf(error, '')
      notify.alert(reason === '' ? ALERTS.quotaFailed : `${ALERTS.quotaFailed}: ${reason}`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (increase !== null && !sending.isPending) sending.mutate(increase)
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextInput
        label="Increase By (hours)"
        w="13rem"
        inputMode="decimal"
        autoComplete="off"
        error={tried && increase === null && <span role="alert">{numberProblem(entered, ALERTS.quotaInvalid)}</span>}
        {...controlledText(entered, (text) => {
          setEntered(text)
          setTried(false)
        })}
      />
      <div className={styles.preview}>
        <strong id={hint}>Updated Quota</strong>
        <output aria-labelledby={hint}>{hoursText(total + (increase?.minutes ?? 0))}</output>
      </div>
      <Button type="submit" className={styles.send} disabled={sending.isPending}>
        {sending.isPending ? 'Updating...' : 'Increase Quota'}
      </Button>
    </form>
  )
}
