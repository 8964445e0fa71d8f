import type { Connection } from '../db/connection.ts'
import type { LeasedQueue } from '../db/leased-rows.ts'
import { listen } from '../db/listen.ts'
import type { Db } from '../db/schema.ts'

/** One kind of row that is its own queue, and what to do with each that is due. */
export interface LeasedWork<Row extends { readonly id: string }> {
  /** Where a commit tells that rows are due. */
  readonly channel: string
  readonly rows: LeasedQueue<Row>
  /** Does what the row needs now, writes down what came of it, and gives the row back. */
  step(row: Row, signal: AbortSignal): Promise<void>
  /** What happens by the clock alone, before each look at what is due. */
  tick?(): Promise<unknown>
}

export interface LeasedLoopOptions {
  readonly db: Db
  readonly connection: Connection
  /** Rows at work at once. */
  readonly concurrency: number
  /** A worker that dies is followed up by another after this long. */
  readonly leaseSeconds: number
  readonly onFault: (fault: unknown) => void
}

export interface Running {
  /** Takes nothing new up, and settles when what is at work has come to its end. */
  stop(): Promise<void>
}

/** Clocks are stepped, and things end, without anybody telling: the loop looks at least this often. */
const TICK_MS = 1_000
/** A step that takes longer is called off; its row shows why and is tried again. */
const STEP_LIMIT_MS = 180_000
/** What is at work when the worker is told to stop may go on this long. */
const GRACE_MS = 4_000

/** Claims rows that are due and takes a step with each, again and again; any number of workers may do so. */
export function startLeasedLoop<Row extends { readonly id: string }>(
  work: LeasedWork<Row>,
  { db, connection, concurrency, leaseSeconds, onFault }: LeasedLoopOptions,
): Running {
  const stopping = new AbortController()
  const calledOff = new AbortController()
  const atWork = new Map<string, { readonly row: Row; readonly lost: AbortController }>()
  const steps = new Set<Promise<void>>()
  let wake = () => {}
  let woken = false
  const wakeUp = () => {
    woken = true
    wake()
  }

  const listening = listen(connection, { channels: [work.channel], heard: wakeUp, missed: wakeUp })
  const heart = setInterval(
    () => {
      void keepAlive().catch(onFault)
    },
    (leaseSeconds * 1000) / 4,
  )

  async function keepAlive() {
    const kept = await work.rows.keepLeases(
      db,
      [...atWork.values()].map(({ row }) => row),
      leaseSeconds,
    )
    for (const [id, { lost }] of atWork) if (!kept.has(id)) lost.abort()
  }

  function begin(row: Row) {
    const lost = new AbortController()
    const entry = { row, lost }
    atWork.set(row.id, entry)
    const signal = AbortSignal.any([lost.signal, calledOff.signal, AbortSignal.timeout(STEP_LIMIT_MS)])
    const step = work
      .step(row, signal)
      .catch(onFault)
      .finally(() => {
        if (atWork.get(row.id) === entry) atWork.delete(row.id)
        steps.delete(step)
        wakeUp()
      })
    steps.add(step)
  }

  async function run() {
    while (!stopping.signal.aborted) {
      woken = false
      let pause = TICK_MS
      try {
        await work.tick?.()
        const room = concurrency - atWork.size
        const claimed = room > 0 ? await work.rows.claimDue(db, room, leaseSeconds) : []
        for (const row of claimed) begin(row)
        const due = atWork.size < concurrency ? await work.rows.untilDue(db) : null
        pause = Math.min(TICK_MS, Math.max(due ?? TICK_MS, claimed.length > 0 ? 0 : 20))
      } catch (fault) {
        onFault(fault)
      }
      if (!woken && !stopping.signal.aborted) await sleep(pause)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const loop = run()
  return {
    async stop() {
      stopping.abort()
      wakeUp()
      await loop
      const grace = setTimeout(() => calledOff.abort(), GRACE_MS)
      await Promise.allSettled(steps)
      clearTimeout(grace)
      clearInterval(heart)
      await listening.close()
    },
  }
}
