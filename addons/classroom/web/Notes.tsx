import { Button } from '@mantine/core'
import type { Room } from '../contract/classroom.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { timeOfDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

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
