import { useQuery } from '@tanstack/react-query'
import type { ReadyBy } from '@trainyard/contract/calls/ready.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { Others } from './Others.tsx'
import styles from './Ready.module.css'
import { momentWords, readyWords } from './ready-words.ts'

/** The interval, in ms, within which a machine that became ready is counted; and where none is waited for. */
const COUNTING_MS = 5_000
const REFRESH_MS = 60_000
const HOUR_MS = 3_600_000

interface ReadyNowProps {
  of: OfTraining
  /** For a projector: learners are not named. */
  namesHidden?: boolean
}

/** Above a training's machines: how many are ready of those that were to be, with why the others are not. */
export function ReadyNow({ of, namesHidden = false }: ReadyNowProps) {
  const { data } = useQuery({
    ...query(api.ready.list, of),
    refetchInterval: ({ state }) => (state.data?.readyBy.some(isNear) ? COUNTING_MS : REFRESH_MS),
  })
  const near = data?.readyBy.filter(isNear) ?? []
  if (data === undefined || near.length === 0) return null
  return (
    <section className={`panel ${styles.now}`} aria-label="Ready by">
      {near.map((one) => (
        <div key={`${one.readyAt} ${one.startsAt} ${one.total}`}>
          <p>
            <strong>{readyWords(one, data.timeZone)}</strong>, by {momentWords(one)}
          </p>
          <Others others={one.others} namesHidden={namesHidden} />
        </div>
      ))}
    </section>
  )
}

/** Some hours before and after; one that was missed is told where it was planned. */
function isNear({ state, readyAt }: ReadyBy): boolean {
  const ahead = Date.parse(readyAt) - Date.now()
  return state !== 'missed' && ahead < 24 * HOUR_MS && ahead > -2 * HOUR_MS
}
