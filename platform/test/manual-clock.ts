import { sql } from 'kysely'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { claimableTables } from '../server/run/reconcile/claim.ts'
import { setPortalClock } from './clock.ts'
import type { TestEnvironment } from './environment.ts'
import { until } from './until.ts'

/** A portal and a provider that share a manual clock, which advances on request. */
export interface ManualClock {
  now(): Date
  /** Polls until a condition is true: after all due work is done, advances the clock to the next due time. */
  runUntil<T>(
    description: string,
    read: () => Promise<T>,
    condition: (value: T) => boolean,
    seconds?: number,
  ): Promise<T>
  run(seconds: number): Promise<void>
  jump(to: Date): Promise<void>
}

/** Minimum and maximum seconds of one step. The times that the provider reports do not depend on the step. */
const STEP = { min: 10, max: 30 }

const ROWS = sql.join(
  claimableTables(SERVER_MODULES).map(
    (table) => sql`select ${table} as of, reconcile_at, leased_until from ${sql.table(table)}`,
  ),
  sql` union all `,
)

export async function startManualClock(env: TestEnvironment, begin: string): Promise<ManualClock> {
  let now = Date.parse(begin)
  const tick = async (seconds: number) => {
    now += seconds * 1000
    await env.control('POST', '/_clock', { set: new Date(now).toISOString() })
    await setPortalClock(env.db, new Date(now))
    // Notifies the loops of due rows, because they poll only once per second. The tasks of each worker have no
    // notification.
    await sql`
      select pg_notify(of || '_due', '') from (${ROWS}) rows where reconcile_at <= portal_now() group by of`.execute(
      env.db,
    )
  }
  /** Waits for due work, because leases would otherwise expire during calls on a slow machine. */
  const untilDone = async (): Promise<number> => {
    const { next } = await until(
      'the worker has done all due work',
      async () => {
        // Tasks recur every few seconds. The test waits for their runs, but advances the clock only by the times of the
        // other rows.
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
    return Math.min(Math.max(Math.ceil(next ?? STEP.max), STEP.min), STEP.max)
  }
  await tick(0)
  return {
    now: () => new Date(now),
    async runUntil(description, read, condition, seconds = 3_600) {
      for (const end = now + seconds * 1000; ;) {
        const step = await untilDone()
        const value = await read()
        if (condition(value)) return value
        if (now > end)
          throw new Error(
            `Timed out after ${seconds} s waiting until ${description}: ${JSON.stringify(value).slice(0, 2000)}`,
          )
        await tick(step)
      }
    },
    jump: (to) => tick((to.getTime() - now) / 1000),
    async run(seconds) {
      for (let i = 0; i < seconds; i++) await tick(1)
    },
  }
}
