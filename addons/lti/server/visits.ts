import type { Again } from '@trainyard/platform/server/run/reconcile/task.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'

/** Maximum number of concurrent visits of one worker. */
const VISITS = 16
/** Maximum number of visits to LMSs whose last visit failed, because such visits often take the whole time. */
const VISITS_OF_FAILING = 6
/** Maximum number of visits that one organisation starts at a time. */
const PER_ORGANISATION = 2
/** Deadline of a whole visit with all its requests. */
const VISIT_MS = 120_000
/** Maximum duration of a run. Its state is then reported, and the next run starts immediately. */
const RUN_MS = 240_000
const POLL_MS = 1_000

/** A claimed row whose LMS is visited. */
export interface Visit {
  readonly organisation: OrganisationId
  readonly isFailing: boolean
}

/** Visits that can start now. */
export interface Room {
  readonly visits: number
  readonly failing: number
  /** Organisations whose visits are in progress. */
  readonly busy: readonly OrganisationId[]
}

/**
 * Returns a task that visits LMSs side by side, so that an LMS that is slow or never ends delays only its own
 * organisation. Its visits in progress continue from one run to the next.
 * @param claim claims due rows, see `dueIds`
 * @param visit receives a signal that aborts at the deadline of the visit, and one that aborts when the worker stops
 */
export function visitLmss<Row extends Visit>(
  claim: (room: Room) => Promise<readonly Row[]>,
  visit: (row: Row, signals: { readonly deadline: AbortSignal; readonly stopping: AbortSignal }) => Promise<void>,
  onBug: (bug: unknown) => void,
): (signal: AbortSignal) => Promise<Again | void> {
  const inProgress = new Map<Promise<void>, Row>()

  /** Returns the number of visits started. */
  async function startDue(stopping: AbortSignal): Promise<number> {
    const rows = [...inProgress.values()]
    const failing = VISITS_OF_FAILING - rows.filter(({ isFailing }) => isFailing).length
    const room = { visits: VISITS - rows.length, failing, busy: rows.map(({ organisation }) => organisation) }
    if (room.visits <= 0) return 0
    const claimed = await claim(room)
    for (const row of claimed) {
      const deadline = AbortSignal.any([stopping, AbortSignal.timeout(VISIT_MS)])
      const visiting: Promise<void> = visit(row, { deadline, stopping })
        .catch(onBug)
        .finally(() => inProgress.delete(visiting))
      inProgress.set(visiting, row)
    }
    return claimed.length
  }

  return async (signal) => {
    const end = performance.now() + RUN_MS
    while (!signal.aborted) {
      // Visits that end during the query were busy for it, so their organisations may still have due rows.
      const wasIdle = inProgress.size === 0
      const started = await startDue(signal)
      if (inProgress.size === 0) {
        if (wasIdle && started === 0) return
        continue
      }
      if (performance.now() > end) return { inSeconds: 0 }
      const timer = new AbortController()
      const waiting = pause(POLL_MS, undefined, { signal: AbortSignal.any([signal, timer.signal]) })
      await Promise.race([...inProgress.keys(), waiting.catch(() => undefined)])
      timer.abort()
    }
    await Promise.all(inProgress.keys())
  }
}

/**
 * SQL query: IDs of due rows, at most two of an organisation and none of a busy one.
 * @param of table, the column with the due time, and the column with the number of failed attempts
 */
export const dueIds = (
  of: { readonly table: string; readonly due: string; readonly attempts: string },
  { visits, failing, busy }: Room,
): RawBuilder<unknown> => sql`
  select id from (
    select *, row_number() over (partition by failing order by place, due) as queue from (
      select id, ${sql.ref(of.due)} as due, ${sql.ref(of.attempts)} > 0 as failing,
        row_number() over (partition by organisation_id order by ${sql.ref(of.due)}) as place
      from ${sql.table(of.table)}
      where ${sql.ref(of.due)} <= portal_now() and organisation_id <> all(${[...busy]}::uuid[])) as ranked
    where place <= ${PER_ORGANISATION}) as queued
  where not failing or queue <= ${Math.max(0, failing)}
  order by place, due limit ${visits}`
