import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { compareDay, daysToCompare } from '../domain/meter/reconciliation.ts'
import type { PowerRecord } from '../providers/power-record.ts'
import type { Running } from './reconciler.ts'

export interface ComparerOptions {
  readonly db: Db
  readonly record: PowerRecord
  readonly onFault: (fault: unknown) => void
  readonly tickMs: number
}

const LEASE_SECONDS = 120
const LIMIT_MS = 110_000
/** After midnight of UTC, so that what the day's last minute brought is in both records. */
const AFTER_MIDNIGHT = '30 minutes'
const AFTER_FAILURE_SECONDS = 600

/** Once a day compares our runs with the provider's own record; of all workers one does. */
export function startComparer({ db, record, onFault, tickMs }: ComparerOptions): Running {
  const stopping = new AbortController()
  let turn: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    turn = turn.then(() => compare(db, record, stopping.signal)).catch(onFault)
  }, tickMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await turn
    },
  }
}

async function compare(db: Db, record: PowerRecord, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return
  const fence = await takeTurn(db)
  if (fence === null) return
  let failing = false
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(LIMIT_MS)])
    for (const day of await daysToCompare(db)) await compareDay(db, record, day, signal)
  } catch (fault) {
    failing = true
    if (!stopping.aborted) throw fault
  } finally {
    await endTurn(db, fence, failing)
  }
}

async function takeTurn(db: Db): Promise<number | null> {
  const { rows } = await sql<{ fence: number }>`
    update sweep set fence = fence + 1, begun_at = portal_now(),
      leased_until = portal_now() + make_interval(secs => ${LEASE_SECONDS})
    where name = 'reconciliation' and due_at <= portal_now() and (leased_until is null or leased_until <= portal_now())
    returning fence`.execute(db)
  return rows[0]?.fence ?? null
}

async function endTurn(db: Db, fence: number, failing: boolean): Promise<void> {
  await sql`
    update sweep set leased_until = null, failing = ${failing}, due_at = case
      when ${failing} then portal_now() + make_interval(secs => ${AFTER_FAILURE_SECONDS})
      else (date_trunc('day', portal_now() at time zone 'UTC') + interval '1 day' + ${AFTER_MIDNIGHT}::interval) at time zone 'UTC' end
    where name = 'reconciliation' and fence = ${fence}`.execute(db)
}
