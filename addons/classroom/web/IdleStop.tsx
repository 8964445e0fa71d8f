import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IDLE_STOP_MINUTES_MAX, IDLE_STOP_MINUTES_MIN } from '@trainyard/trainings/contract/training-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { offerUndo } from '@trainyard/machines/web/commands.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

const USUAL = '30'
const WRONG = `Enter a whole number of minutes from ${IDLE_STOP_MINUTES_MIN} to ${IDLE_STOP_MINUTES_MAX}.`

interface IdleStopProps {
  training: TrainingQuery
  /** Current setting in minutes; null if idle machines are not stopped. */
  minutes: number | null
  close: () => void
}

export default function IdleStop({ training, minutes, close }: IdleStopProps) {
  const [entered, setEntered] = useState(minutes === null ? USUAL : String(minutes))
  const [tried, setTried] = useState(false)
  const set = useClassAction(
    (wanted: number | null) => api.classroom.setIdleStop({ ...training, minutes: wanted }),
    close,
  )
  const stop = useClassAction(
    (idleMinutes: number) => api.classroom.power({ ...training, operation: 0, idleMinutes }),
    (reply) => {
      offerUndo(reply)
      close()
    },
  )
  const isBusy = set.isPending || stop.isPending
  const requestedMinutes = /^\d{1,3}$/.test(entered.trim()) ? Number(entered) : Number.NaN
  const valid = requestedMinutes >= IDLE_STOP_MINUTES_MIN && requestedMinutes <= IDLE_STOP_MINUTES_MAX
  const withMinutes = (act: (wanted: number) => void) => () => {
    setTried(true)
    if (valid && !isBusy) act(requestedMinutes)
  }
  return (
    <Dialog
      title="Idle machines"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button variant="default" disabled={isBusy} onClick={withMinutes((wanted) => stop.mutate(wanted))}>
            Stop all idle now
          </Button>
          {minutes !== null && (
            <Button variant="default" disabled={isBusy} onClick={() => set.mutate(null)}>
              Turn off idle stop
            </Button>
          )}
          <Button disabled={isBusy} onClick={withMinutes((wanted) => set.mutate(wanted))}>
            Stop when idle
          </Button>
        </>
      }
    >
      <p className={styles.explained}>
        A machine is idle while nobody types in its terminal and its processor is idle. With <em>Stop when idle</em> the
        learner gets a warning 10 minutes before, and can click “I am here”. No machine is stopped in the first 30
        minutes of a run. <em>Stop all idle now</em> stops without a warning; you can undo it for a few seconds.
      </p>
      <TextInput
        label="Idle for (minutes)"
        w="11rem"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        error={tried && !valid && <span role="alert">{WRONG}</span>}
        {...controlledText(entered, (text) => {
          setEntered(text)
          setTried(false)
        })}
      />
    </Dialog>
  )
}
