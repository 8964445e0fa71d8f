import { sql } from 'kysely'
import { CLAIMABLE_TABLES } from '../src/reconcile/claim.ts'
import { setPortalClock } from './clock.ts'
import type { TestEnvironment } from './environment.ts'
import { until } from './until.ts'

/** Portal and provider on one clock, which stands but for the seconds that it is told to run by. */
export interface Ticking {
  /** Where the clock stands: a whole second. */
  now(): Date
  /** Has the worker do all that is due, then lets the clock run to what is due next, until something holds. */
  runUntil<T>(what: string, see: () => Promise<T>, holds: (seen: T) => boolean, seconds?: number): Promise<T>
  run(seconds: number): Promise<void>
  /** To a later instant, at once. */
  jump(to: Date): Promise<void>
}

/** Seconds between two looks, at least and at most: what the provider tells of its instants does not hang on them. */
const STEP = { least: 10, most: 30 }

/** Rows of every table that are due, now or later. */
const ROWS = sql.join(
  CLAIMABLE_TABLES.map((table) => sql`select ${table} as of, reconcile_at, leased_until from ${sql.table(table)}`),
  sql` union all `,
)

export async function tickingFrom(env: TestEnvironment, begin: string): Promise<Ticking> {
  let now = Date.parse(begin)
  const tick = async (seconds: number) => {
    now += seconds * 1000
    await env.control('POST', '/_clock', { set: new Date(now).toISOString() })
    await setPortalClock(env.db, new Date(now))
    // A worker looks by itself once in a second: its loops are told what came due. Tasks of each worker are not.
    await sql`
      select pg_notify(of || '_due', '') from (${ROWS}) rows where reconcile_at <= portal_now() group by of`.execute(
      env.db,
    )
  }
  /** Else the clock outruns the worker on a slow machine: leases end under its hands, and its calls seem lost. */
  const done = async (): Promise<number> => {
    const { next } = await until(
      'the worker has taken up what is due',
      async () => {
        // Tasks come round in seconds for ever: the clock waits for their runs, and goes where other rows are due.
        const { rows } = await sql<{ left: number; next: number | null }>`
          select count(*) filter (
              where reconcile_at <= portal_now() and leased_until is null or of = 'task' and leased_until is not null
            )::int as left,
            (extract(epoch from min(case when leased_until is null then reconcile_at else portal_now() end)
              filter (where of <> 'task' and reconcile_at is not null) - portal_now()))::float8 as next
          from (${ROWS}) rows`.execute(env.db)
        return rows[0]!
      },
      ({ left }) => left === 0,
    )
    return Math.min(Math.max(Math.ceil(next ?? STEP.most), STEP.least), STEP.most)
  }
  await tick(0)
  return {
    now: () => new Date(now),
    async runUntil(what, see, holds, seconds = 3_600) {
      for (const end = now + seconds * 1000; ;) {
        const step = await done()
        const seen = await see()
        if (holds(seen)) return seen
        if (now > end)
          throw new Error(`Waited ${seconds} s in vain until ${what}: ${JSON.stringify(seen).slice(0, 2000)}`)
        await tick(step)
      }
    },
    jump: (to) => tick((to.getTime() - now) / 1000),
    async run(seconds) {
      for (let i = 0; i < seconds; i++) await tick(1)
    },
  }
}
