import type { RawBuilder } from 'kysely'
import type { Db } from '../db/schema.ts'
import { traced, type Tracer } from '../telemetry/telemetry.ts'
import { type ClaimableRow, type ClaimableTable, queueOf } from './claim.ts'
import type { Loop } from './running.ts'
import { wakeable } from './wakeable.ts'
import { type Work, workOn } from './work.ts'

/** A kind of row that is kept true. */
export interface Kind<Row extends ClaimableRow> extends Work<Row> {
  /** Where a commit tells that rows are due. */
  readonly channel: string
  /** Rows at work at once in one worker, where that is less than the worker's own measure. */
  readonly atOnce?: number
  /** Claims only rows of which this holds; all that are due, where it is left out. */
  readonly among?: RawBuilder<unknown>
  /** Columns of the row `t` that are written with the claim, where the claim begins the work. */
  readonly begun?: RawBuilder<unknown>
}

/** A kind of row, ready to be worked on; see server/src/app/tasks.ts. */
export interface Reconciler {
  readonly table: ClaimableTable
  start(options: LoopOptions): Loop
}

export const reconciler = <Row extends ClaimableRow>(kind: Kind<Row>): Reconciler => ({
  table: kind.table,
  start: (options) => startLoop(kind, options),
})

export interface LoopOptions {
  readonly db: Db
  /** Rows of a kind at work at once. */
  readonly concurrency: number
  /** A worker that dies is followed up by another after this long. */
  readonly leaseSeconds: number
  readonly onBug: (bug: unknown) => void
  /** Follows each row's work from the call that wanted it; null: nobody does. */
  readonly tracer?: Tracer | null
}

/** A look that failed is taken again after this. */
const RETRY_MS = 1_000
/** The shortest pause. */
const LEAST_SLEEP_MS = 20
/** No timer runs longer. */
const LONGEST_SLEEP_MS = 600_000
/** A step that takes longer is called off; its row shows why and is tried again. */
const STEP_LIMIT_MS = 180_000
/** A step at work when the worker is told to stop may go on this long. */
const GRACE_MS = 4_000

/** The reason why a step is called off when its worker ends. */
export class WorkerEnds extends Error {
  override readonly name = 'WorkerEnds'
}

/** Claims rows that are due and works on each, again and again; any number of workers may do so. */
export function startLoop<Row extends ClaimableRow>(
  kind: Kind<Row>,
  { db, concurrency, leaseSeconds, onBug, tracer = null }: LoopOptions,
): Loop {
  const queue = queueOf<Row>(kind.table, kind)
  const most = Math.min(concurrency, kind.atOnce ?? Infinity)
  const stopping = new AbortController()
  const calledOff = new AbortController()
  const atWork = new Map<string, { readonly row: Row; readonly lost: AbortController }>()
  const steps = new Set<Promise<void>>()
  const { look, isWoken, sleep, wake } = wakeable()
  /** False after the end of a step, which rarely makes anything due: then the loop asks before it claims. */
  let mayBeDue = true
  const claim = () => {
    mayBeDue = true
    wake()
  }

  const heart = setInterval(
    () => {
      void keepAlive().catch(onBug)
    },
    (leaseSeconds * 1000) / 4,
  )

  async function keepAlive() {
    // Those of now: what is claimed while this is asked is not among the answers.
    const entries = [...atWork.values()]
    const held = await queue.keepClaims(
      db,
      entries.map(({ row }) => row),
      leaseSeconds,
    )
    for (const { row, lost } of entries) if (!held.has(row.id)) lost.abort()
  }

  function begin(row: Row) {
    const lost = new AbortController()
    const entry = { row, lost }
    atWork.set(row.id, entry)
    const signal = AbortSignal.any([lost.signal, calledOff.signal, AbortSignal.timeout(STEP_LIMIT_MS)])
    const work = () => workOn(db, kind, row, signal, onBug)
    const step = (tracer === null ? work() : traced(tracer, kind.table, { kind: 'work', parent: row.trace }, work))
      .catch(onBug)
      .finally(() => {
        if (atWork.get(row.id) === entry) atWork.delete(row.id)
        steps.delete(step)
        wake()
      })
    steps.add(step)
  }

  /** Claims what is due. Answers the milliseconds until there may be more; null: a step's end or a call tells. */
  async function take(): Promise<number | null> {
    const room = most - atWork.size
    if (room <= 0) return null
    const claims = mayBeDue
    if (claims) {
      mayBeDue = false
      const claimed = await queue.claimDue(db, room, leaseSeconds)
      for (const row of claimed) begin(row)
      // The end of a step asks what comes next, or takes up what there was no room for.
      mayBeDue ||= claimed.length === room
      if (claimed.length > 0) return null
    }
    const due = await queue.untilDue(db)
    if (due === null || due > 0) return due === null ? null : Math.max(due, LEAST_SLEEP_MS)
    mayBeDue = true
    // A row that is due and was not claimed just now is another worker's.
    return claims ? LEAST_SLEEP_MS : 0
  }

  async function run() {
    while (!stopping.signal.aborted) {
      look()
      let pause: number
      try {
        pause = Math.min((await take()) ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS)
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
    listeners: [{ channels: [kind.channel], heard: claim, missed: claim }],
    watched: [{ name: kind.table, isDue: queue.isDue, wake: claim }],
    async stop() {
      stopping.abort()
      wake()
      await loop
      const grace = setTimeout(() => calledOff.abort(new WorkerEnds()), GRACE_MS)
      await Promise.allSettled(steps)
      clearTimeout(grace)
      clearInterval(heart)
    },
  }
}
