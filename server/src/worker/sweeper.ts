import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/schema.ts'
import { sweep } from '../domain/machine/sweep.ts'
import { type Cloud, CloudError } from '../providers/cloud.ts'
import type { Running } from './leased-loop.ts'
import { notePart } from './part-state.ts'

export interface SweeperOptions {
  readonly db: Db
  readonly cloud: Cloud
  readonly onFault: (fault: unknown) => void
  /** Seconds between sweeps: while machines are on their way at most `busy`, else `idle`. */
  readonly busy: number
  readonly idle: number
}

const TICK_MS = 500
const LEASE_SECONDS = 60
const LIMIT_MS = 50_000

/** Looks at all that the provider has, again and again; of all workers one at a time. */
export function startSweeper({ db, cloud, onFault, busy, idle }: SweeperOptions): Running {
  const stopping = new AbortController()
  let failures = 0

  async function turn(): Promise<void> {
    const turn = await takeTurn(db, busy)
    if (turn === null) return
    // One that came before its time leaves that as it is: what only the whole sweep shows is not put off.
    let pause: number | null = turn.whole ? idle : null
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(LIMIT_MS)])
      await sweep(db, cloud, turn.whole ? 'everything' : 'states', signal)
      failures = 0
      await notePart(db, 'cloud', true)
    } catch (fault) {
      if (stopping.signal.aborted) {
        pause = 0
        return
      }
      failures += 1
      pause = Math.min(60, 2 ** failures)
      if (!(fault instanceof CloudError)) onFault(fault)
      else {
        pause = Math.max(pause, fault.retryAfter ?? 0)
        if (fault.kind === 'unreachable' || fault.kind === 'unauthorised') await notePart(db, 'cloud', false)
      }
    } finally {
      await endTurn(db, turn.fence, pause, failures > 0)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await turn().catch(onFault)
      await sleep(TICK_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const loop = run()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}

interface Turn {
  readonly fence: number
  /** It is due by its time; else it comes before, since machines are on their way. */
  readonly whole: boolean
}

/** The sweep's turn, when it is due: by its time, or sooner while machines are on their way. */
async function takeTurn(db: Db, busy: number): Promise<Turn | null> {
  const { rows } = await sql<Turn>`
    update sweep set fence = fence + 1, leased_until = portal_now() + make_interval(secs => ${LEASE_SECONDS}),
      begun_at = portal_now()
    where name = 'machines' and (leased_until is null or leased_until <= portal_now())
      and (due_at <= portal_now() or (begun_at <= portal_now() - make_interval(secs => ${busy}::float8) and not failing
        and exists (select from machine where observed = 'changing')))
    returning fence, due_at <= portal_now() as whole`.execute(db)
  return rows[0] ?? null
}

async function endTurn(db: Db, fence: number, pause: number | null, failing: boolean): Promise<void> {
  await sql`
    update sweep set leased_until = null, failing = ${failing},
      due_at = coalesce(portal_now() + make_interval(secs => ${pause}::float8), due_at)
    where name = 'machines' and fence = ${fence}`.execute(db)
}
