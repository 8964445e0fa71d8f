import { useQuery } from '@tanstack/react-query'
import type { ReadyBy } from '../contract/ready.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { readyNotes } from '@trainyard/trainings/web/slots.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { NotReadyList } from './NotReadyList.tsx'
import styles from './Ready.module.css'
import { readyWords } from './ready-words.ts'
import { momentWords } from '@trainyard/platform/web/ui/time.ts'

/** Poll intervals in ms: near a ready time, and otherwise. */
const COUNTING_MS = 5_000
const REFRESH_MS = 60_000
const HOUR_MS = 3_600_000

interface ReadyNowProps {
  training: TrainingQuery
  namesHidden?: boolean
}

export default function ReadyNow({ training, namesHidden = false }: ReadyNowProps) {
  const { data } = useQuery({
    ...query(api.ready.list, training),
    refetchInterval: ({ state }) => (state.data?.readyBy.some(isNear) ? COUNTING_MS : REFRESH_MS),
  })
  const all = data?.readyBy.filter(isNear) ?? []
  // An order and a session can have the same ready time. The entry with more machines includes the machines of the
  // other entry.
  const nearClasses = all.filter(
    (one) => one === all.filter((other) => other.readyAt === one.readyAt).toSorted((a, b) => b.total - a.total)[0],
  )
  if (data === undefined || nearClasses.length === 0) return null
  return (
    <section className={`panel ${styles.now}`} aria-label="Ready by">
      {nearClasses.map((one) => (
        <div key={`${one.readyAt} ${one.startsAt} ${one.total}`}>
          <p>
            <strong>{readyWords(one, data.timeZone)}</strong>, by {momentWords(one)}
          </p>
          <NotReadyList others={one.others} namesHidden={namesHidden} />
        </div>
      ))}
      <Fills of={readyNotes} props={{ training }} />
    </section>
  )
}

/** Schedule Task shows ready times that were missed. */
function isNear({ state, readyAt }: ReadyBy): boolean {
  const ahead = Date.parse(readyAt) - Date.now()
  return state !== 'missed' && ahead < 24 * HOUR_MS && ahead > -2 * HOUR_MS
}
