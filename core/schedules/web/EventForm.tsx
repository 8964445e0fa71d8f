import { Button, TextInput } from '@mantine/core'
import { useId, useState, type FormEvent } from 'react'
import { SCHEDULES_PER_CALL } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { clearingAlerts, notify } from '@trainyard/platform/web/ui/notices.ts'
import { formatDate, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'
import { useUnsaved } from '@trainyard/platform/web/ui/unsaved.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { ActionToggle } from './ActionToggle.tsx'
import { Days } from './Days.tsx'
import styles from './EventForm.module.css'
import { addPlanned, hasPassed, keyOf, type Planned } from './planned.ts'
import { PlannedList } from './PlannedList.tsx'
import { lastDay } from './slots.ts'
import { usePlanning } from './usePlanning.ts'
import { WindowFields } from './WindowFields.tsx'

interface EventFormProps {
  training: TrainingQuery
  timeZone: string
  close: () => void
}

export default function EventForm({ training, timeZone, close }: EventFormProps) {
  const heading = useId()
  const now = useNow()
  const [dates, setDates] = useState<string[]>([])
  const [action, setAction] = useState<ScheduleAction>('Stop')
  const [time, setTime] = useState('')
  const [planned, setPlanned] = useState<readonly Planned[]>([])
  const [tried, setTried] = useState(false)
  const [changed, setChanged] = useState(false)
  const { window, setWindow, current, problem, send } = usePlanning(training, close)
  const [endsOn, setEndsOn] = useState<string | null>(null)
  const isFilled = changed || dates.length > 0 || planned.length > 0
  const { question } = useUnsaved(isFilled && !send.isPending && !send.isSuccess)

  const plan = clearingAlerts(setPlanned)
  const changeTime = clearingAlerts(setTime)

  const add = (event: FormEvent) => {
    event.preventDefault()
    if (dates.length === 0 || time === '') return notify.alert(ALERTS.pickTimes)
    const pastDate = dates.find((date) => hasPassed({ date, time, action }, timeZone, new Date()))
    if (pastDate !== undefined)
      return notify.alert(`${time} on ${formatDate(pastDate)} has already passed in ${timeZone}.`)
    const next = addPlanned(planned, dates, { time, action })
    if (next.length > SCHEDULES_PER_CALL) {
      return notify.alert(`At most ${SCHEDULES_PER_CALL} can be scheduled at once.`)
    }
    plan(next)
    setTime('')
  }
  const sendAll = () => {
    if (send.isPending) return
    if (planned.length === 0) return notify.alert(ALERTS.noSchedules)
    setTried(true)
    if (problem === null) send.mutate(planned)
  }

  return (
    <section className={`panel ${styles.form}`} aria-labelledby={heading}>
      <Fills of={lastDay} props={{ training, found: setEndsOn }} />
      <div className={`ends ${styles.head}`}>
        <h2 id={heading}>New Scheduled Event</h2>
        <p className={styles.zone}>
          Times are in the zone <strong>{timeZone}</strong>, where it is {timeOfDay(now, timeZone)} now.
        </p>
      </div>
      {question}
      <form className={styles.entry} noValidate onInput={() => setChanged(true)} onSubmit={add}>
        <Days dates={dates} from={today(now, timeZone)} change={clearingAlerts(setDates)} />
        <div className={styles.fields}>
          <ActionToggle value={action} change={clearingAlerts(setAction)} />
          <TextInput type="time" label="Trigger Time" w="11rem" {...controlledText(time, changeTime)} />
          <WindowFields window={window} change={setWindow} current={current} problem={problem} tried={tried} />
          <div>
            <Button type="submit" variant="default">
              Schedule Operation
            </Button>
          </div>
        </div>
      </form>
      <PlannedList
        planned={planned}
        timeZone={timeZone}
        endsOn={endsOn}
        remove={(entry) => plan(planned.filter((one) => keyOf(one) !== keyOf(entry)))}
      />
      <div className={styles.foot}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={send.isPending} onClick={sendAll}>
          {send.isPending ? 'Scheduling...' : 'Schedule All'}
        </Button>
      </div>
    </section>
  )
}
