import { useEffect, useState } from 'react'
import type { OwnClass } from '../contract/classroom.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import styles from './ClassBar.module.css'
import { refreshOwnClasses, useOwnClasses, useOwnClassStream } from './own-class.ts'

const TICK_MS = 5_000

export default function ClassBar() {
  useOwnClassStream()
  const classes = useOwnClasses()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const now = useTicks(classes.some(isTelling))
  const announced = classes.filter(
    ({ announcement }) =>
      announcement !== null && Date.parse(announcement.until) > now && !hidden.includes(announcement.at),
  )
  const stops = classes.flatMap(({ machines }) => machines.filter(({ stopsAt }) => stopsAt !== null))
  return (
    <div className={`${styles.bars} no-print`}>
      <output className={styles.region}>
        {announced.map(({ trainingName, announcement }) => (
          <span key={trainingName} className={styles.said}>
            <span className={styles.text}>
              <strong>{classes.length > 1 ? `Announcement in ${trainingName}:` : 'Announcement:'}</strong>{' '}
              {announcement!.text}
            </span>
            <button type="button" className={styles.button} onClick={() => setHidden([...hidden, announcement!.at])}>
              Hide<span className="visually-hidden"> the announcement</span>
            </button>
          </span>
        ))}
      </output>
      {stops.map(({ vmName, stopsAt }) => (
        <div key={vmName} role="alert" className={styles.stop}>
          <span className={styles.text}>
            <strong>{vmName}</strong> is idle and will be stopped in {minutesUntil(stopsAt!, now)}.
          </span>
          <button type="button" className={styles.here} onClick={() => void beHere(vmName)}>
            I am here<span className="visually-hidden">: keep {vmName} on</span>
          </button>
        </div>
      ))}
    </div>
  )
}

const isTelling = ({ announcement, machines }: OwnClass): boolean =>
  announcement !== null || machines.some(({ stopsAt }) => stopsAt !== null)

function minutesUntil(instant: string, now: number): string {
  const minutes = Math.ceil((Date.parse(instant) - now) / 60_000)
  return minutes <= 1 ? 'less than a minute' : `${minutes} minutes`
}

async function beHere(vmName: string): Promise<void> {
  try {
    notify.status((await api.classroom.here({ vmName })).message)
    await refreshOwnClasses()
  } catch (error) {
    notify.alert(messageOf(error))
  }
}

/** Returns the current time in ms, updated every few seconds while `counting`. */
function useTicks(counting: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!counting) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [counting])
  return now
}
