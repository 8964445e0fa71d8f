import { Button } from '@mantine/core'
import type { Room } from '@trainyard/contract/calls/classroom.ts'
import { api } from '#src/api/client.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { timeOfDay } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './Class.module.css'
import { useClassAction } from '#src/training/useClassAction.ts'

const atIn = (timeZone: string) => (instant: string) => timeOfDay(new Date(instant), timeZone)

export function Announcement({ training, room: { announcement, timeZone } }: { training: TrainingQuery; room: Room }) {
  const now = useNow().getTime()
  const removal = useClassAction(() => api.classroom.takeBack(training))
  if (announcement === null || Date.parse(announcement.until) <= now) return null
  return (
    <div className={styles.announcement}>
      <p>
        <strong>Announced until {atIn(timeZone)(announcement.until)}:</strong> {announcement.text}
      </p>
      <Button variant="default" size="xs" disabled={removal.isPending} onClick={() => removal.mutate()}>
        Remove
      </Button>
    </div>
  )
}

export const Notes = ({ room: { window, idleStopMinutes, timeZone } }: { room: Room }) => (
  <p className="dim">
    {windowSentence(window, atIn(timeZone))} {idleSentence(idleStopMinutes)}
  </p>
)

function windowSentence(window: Room['window'], at: (instant: string) => string): string {
  if (window === null) return 'Open to learners at all times.'
  const { start, stop, open, extendedUntil } = window
  const hours = `from ${start} to ${stop}`
  if (extendedUntil !== null) return `Open to learners ${hours}, and today until ${at(extendedUntil)}.`
  return `${open ? 'Open' : 'Closed'} to learners now: it is open ${hours}.`
}

const idleSentence = (minutes: number | null): string =>
  minutes === null ? 'Idle machines are not stopped.' : `Machines that are idle for ${minutes} minutes are stopped.`
