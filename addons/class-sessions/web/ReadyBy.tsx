import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { ReadyBy as Wanted } from '../contract/ready.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { readyNotes } from '@trainyard/trainings/web/slots.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { clearingAlerts, notify } from '@trainyard/platform/web/ui/notices.ts'
import { NotReadyList } from './NotReadyList.tsx'
import { readyWords, withoutLaterClassSessions } from './ready-words.ts'
import { momentWords } from '@trainyard/platform/web/ui/time.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import styles from './ReadyBy.module.css'

/** Poll interval in ms for machines that become ready. */
const REFRESH_MS = 5_000

export default function ReadyBy() {
  const { trainingQuery: training } = useSelection()
  const wanted = useQuery({ ...query(api.ready.list, training), refetchInterval: REFRESH_MS })
  if (training === null) return <WithoutTraining />
  return (
    <Screen>
      <p className="dim">
        The machines are started early enough to be ready by then, and checked that learners can sign in.
      </p>
      <Fills of={readyNotes} props={{ training }} />
      <Form key={JSON.stringify(training)} training={training} />
      <Fetched query={wanted} loading={<Skeleton rows={1} height="2.25rem" />}>
        {({ readyBy, timeZone }) =>
          readyBy.length === 0 ? null : (
            <ul className={styles.list} aria-label="Times at which the machines must be ready">
              {withoutLaterClassSessions(readyBy).map((one) => (
                <Line
                  key={`${one.readyAt} ${one.startsAt} ${one.total}`}
                  training={training}
                  one={one}
                  timeZone={timeZone}
                />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Screen>
  )
}

const REFETCH = { invalidates: ['ready'], refetchesOnFailure: true } as const

function Form({ training }: { training: TrainingQuery }) {
  const [date, setDate] = useState('')
  const [time, setTime] = useState('')
  const [changeDate, changeTime] = [clearingAlerts(setDate), clearingAlerts(setTime)]
  const plan = useAction(() => api.ready.plan({ ...training, date, time }), REFETCH)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (date === '' || time === '') return notify.alert('Choose a date and a time.')
    if (!plan.isPending) plan.mutate()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <DateField label="Ready on" {...controlledText(date, changeDate)} />
      <TextInput
        type="time"
        label="Ready at"
        inputContainer={(input) => (
          <div className="row">
            {input}
            <Button type="submit" variant="default" disabled={plan.isPending}>
              {plan.isPending ? 'Scheduling...' : 'Schedule'}
            </Button>
          </div>
        )}
        {...controlledText(time, changeTime)}
      />
    </form>
  )
}

function Line({ training, one, timeZone }: { training: TrainingQuery; one: Wanted; timeZone: string }) {
  const { date, time, state, others } = one
  const cancel = useAction(() => api.ready.cancel({ ...training, date, time }), REFETCH)
  const when = momentWords(one)
  return (
    <li>
      <div className={styles.line}>
        <span>
          <strong>{when}</strong>
          <output>{readyWords(one, timeZone)}</output>
        </span>
        <TextButton
          label={`${state === 'waiting' ? 'Cancel' : 'Remove'} ready by ${when}`}
          onClick={() => cancel.mutate()}
        >
          {state === 'waiting' ? 'Cancel' : 'Remove'}
        </TextButton>
      </div>
      <NotReadyList others={others} />
    </li>
  )
}
