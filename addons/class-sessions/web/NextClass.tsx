import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { nextClass } from '../contract/next-class.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import { formatCountdown } from '@trainyard/trainings/web/daily-window.ts'
import styles from './NextClass.module.css'

type Planned = NonNullable<ReplyOf<typeof nextClass.nextClass>['nextClass']>

/** Poll intervals in ms: while machines start, and before machines start. */
const STARTING_MS = 5_000
const WAITING_MS = 60_000
const LAMPS = 400

interface NextClassProps {
  organization: string
  whose: { organization?: string }
}

/** The next class with its checks and a countdown. Its seats light up as their machines become ready. */
export default function NextClass({ organization, whose }: NextClassProps) {
  const { data } = useQuery({
    ...query(api.home.nextClass, { organization }),
    refetchInterval: ({ state }) => (state.data?.nextClass?.started ? STARTING_MS : WAITING_MS),
  })
  const next = data?.nextClass
  if (!next) return null
  const { training, date, time, seats, ready, started } = next
  const failed = next.checks.filter(({ problem }) => problem !== null)
  return (
    <section className={`panel ${styles.next}`} aria-labelledby="next-class">
      <div className="ends">
        <h2 id="next-class">
          Next class: {dayjs.utc(date).format('ddd D MMM')} {time}
        </h2>
        <Countdown readyAt={next.readyAt} />
      </div>
      <p>
        <Link to="/vm/class" search={{ ...whose, training }}>
          {training}
        </Link>
        , {countOf(seats, 'seat')}
        {started ? `, ${ready} ready` : failed.length === 0 ? ', all checks passed' : ''}
      </p>
      {failed.length > 0 && (
        <ul className={styles.problems} aria-label="Checks that failed">
          {failed.map(({ check, problem }) => (
            <li key={check}>
              <strong>{CHECK_NAMES[check]}</strong>: {problem}
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden">
        {ready} of {countOf(seats, 'seat')} ready
      </p>
      <div className={styles.lamps} aria-hidden="true">
        {Array.from({ length: Math.min(seats, LAMPS) }, (_, place) => (
          <span key={place} data-lit={place < ready || undefined} />
        ))}
      </div>
    </section>
  )
}

const CHECK_NAMES: Readonly<Record<Planned['checks'][number]['check'], string>> = {
  capacity: 'Capacity',
  hours: 'Allocated hours',
  budget: 'Budget',
  invitations: 'Invitations',
  image: 'Image',
}

function Countdown({ readyAt }: { readyAt: string }) {
  const now = useSeconds(true)
  const at = new Date(readyAt)
  return <span className="dim">{at > now ? `in ${formatCountdown(at, now)}` : 'now'}</span>
}
