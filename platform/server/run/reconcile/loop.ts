import type { RawBuilder } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { type ClaimableRow, queueOf, type Turns } from './claim.ts'
import { dueChannel } from './notify.ts'
import type { Loop } from './running.ts'
import { wakeable } from './wakeable.ts'
import { type Work, workOn } from './work.ts'

export interface Kind<Row extends ClaimableRow> extends Work<Row> {
  readonly maxConcurrent?: number
  /** How owners of rows share the concurrent steps. */
  readonly turns?: Turns
  readonly filter?: RawBuilder<unknown>
  readonly setOnClaim?: RawBuilder<unknown>
  /** Default: `STEP_LIMIT_MS`. */
  readonly stepLimitMs?: (row: Row) => number
}

export interface LoopOptions {
  readonly db: Db
  readonly concurrency: number
  /** Lease of a claim, in seconds. After this time, other workers take over the rows of a crashed worker. */
  readonly leaseSeconds: number
  readonly onBug: (bug: unknown) => void
}

const RETRY_MS = 1_000
const LEAST_SLEEP_MS = 20
const LONGEST_SLEEP_MS = 600_000
/** Timeout of a step, in milliseconds. The row then shows the error and is retried. */
const STEP_LIMIT_MS = 180_000
/** Time for running steps to finish when the worker stops, in milliseconds. */
const GRACE_MS = 4_000

export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping'
}

/** Claims due rows and runs their steps until stopped. Any number of workers may do so concurrently. */
export function startLoop<Row extends ClaimableRow>(
  kind: Kind<Row>,
  { db, concurrency, leaseSeconds, onBug }: LoopOptions,
): Loop {
  const queue = queueOf<Row>(kind.table, kind)
  const capacity = Math.min(concurrency, kind.maxConcurrent ?? Infinity)
  const stopping = new AbortController()
  const cancelled = new AbortController()
  const inProgress = new Map<string, { readonly row: Row; readonly lost: AbortController }>()
  const steps = new Set<Promise<void>>()
  const { reset, isWoken, sleep, wake } = wakeable()
  /** False after a step has ended. A step rarely makes another row due, so the due time is queried first. */
  let mayBeDue = true
  const claim = () => {
    mayBeDue = true
    wake()
  }

  const heartbeat = setInterval(
    () => {
      void renewLeases().catch(onBug)
    },
    (leaseSeconds * 1000) / 4,
  )

  async function renewLeases() {
    const entries = [...inProgress.values()]
    const held = await queue.renewClaims(
      db,
      entries.map(({ row }) => row),
      leaseSeconds,
    )
    for (const { row, lost } of entries) if (!held.has(row.id)) lost.abort()
  }

  function startWork(row: Row) {
    const lost = new AbortController()
    const entry = { row, lost }
    inProgress.set(row.id, entry)
    const limit = kind.stepLimitMs?.(row) ?? STEP_LIMIT_MS
    const signal = AbortSignal.any([lost.signal, cancelled.signal, AbortSignal.timeout(limit)])
    const step = workOn(db, kind, row, signal, onBug)
      .catch(onBug)
      .finally(() => {
        if (inProgress.get(row.id) === entry) inProgress.delete(row.id)
        steps.delete(step)
        wake()
      })
    steps.add(step)
  }

  /** Claims rows. Returns the ms until more may be due; null: a finished step or a notification wakes the loop. */
  async function claimRows(): Promise<number | null> {
    const room = capacity - inProgress.size
    if (room <= 0) return null
    const claims = mayBeDue
    if (claims) {
      mayBeDue = false
      const held = [...inProgress.values()].map(({ row }) => row)
      const claimed = await queue.claimDue(db, room, leaseSeconds, held)
      for (const row of claimed) startWork(row)
      // With free capacity, the next finished step queries the due time. Without free capacity, more rows may be due.
      mayBeDue ||= claimed.length === room
      if (claimed.length > 0) return null
    }
    const due = await queue.msUntilDue(db)
    if (due === null || due > 0) return due === null ? null : Math.max(due, LEAST_SLEEP_MS)
    mayBeDue = true
    // If a due row was not claimed here, another worker holds it.
    if (!claims) return 0
    // The rest may be of owners whose share is used up. A step that finishes wakes the loop.
    return kind.turns !== undefined && inProgress.size > 0 ? RETRY_MS : LEAST_SLEEP_MS
  }

  async function run() {
    while (!stopping.signal.aborted) {
      reset()
      let pause: number
      try {
        pause = Math.min((await claimRows()) ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS)
      } catch (bug) {
        onBug(bug)
        pause = RETRY_MS
      }
      if (!stopping.signal.aborted) await sleep(pause)
      if (!isWoken()) mayBeDue = true
    }
  }

  const loop = run()
  return {
    listeners: [{ channels: [dueChannel(kind.table)], onNotification: claim, onConnect: claim }],
    dueChecks: [{ name: kind.table, isDue: queue.isDue, wake: claim }],
    async stop() {
      stopping.abort()
      wake()
      await loop
      const grace = setTimeout(() => cancelled.abort(new WorkerStopping()), GRACE_MS)
      await Promise.allSettled(steps)
      clearTimeout(grace)
      clearInterval(heartbeat)
    },
  }
}
