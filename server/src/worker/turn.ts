import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { Running } from './leased-loop.ts'

export interface TurnsOptions {
  readonly db: Db
  /** The row of `sweep` that says when it is due and whose turn it is. */
  readonly name: 'reconciliation' | 'offers'
  readonly onFault: (fault: unknown) => void
  /** How often it is asked whether it is due. */
  readonly tickMs: number
  readonly leaseSeconds: number
  readonly afterFailureSeconds: number
  /** Does what is due, and answers the seconds until it is due again. */
  readonly work: (signal: AbortSignal) => Promise<number>
}

/** Does something every so often; of all workers one at a time. */
export function startTurns(options: TurnsOptions): Running {
  const stopping = new AbortController()
  let turn: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    turn = turn.then(() => takeTurn(options, stopping.signal)).catch(options.onFault)
  }, options.tickMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await turn
    },
  }
}

async function takeTurn(options: TurnsOptions, stopping: AbortSignal): Promise<void> {
  const { db, name, leaseSeconds, work } = options
  if (stopping.aborted) return
  const { rows } = await sql<{ fence: number }>`
    update sweep set fence = fence + 1, begun_at = portal_now(),
      leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
    where name = ${name} and due_at <= portal_now() and (leased_until is null or leased_until <= portal_now())
    returning fence`.execute(db)
  const fence = rows[0]?.fence
  if (fence === undefined) return
  let due: number | null = null
  try {
    due = await work(AbortSignal.any([stopping, AbortSignal.timeout(leaseSeconds * 1000 - 5_000)]))
  } catch (fault) {
    if (!stopping.aborted) throw fault
  } finally {
    const seconds = due ?? (stopping.aborted ? 0 : options.afterFailureSeconds)
    await sql`
      update sweep set leased_until = null, failing = ${due === null},
        due_at = portal_now() + make_interval(secs => ${seconds}::float8)
      where name = ${name} and fence = ${fence}`.execute(db)
  }
}
