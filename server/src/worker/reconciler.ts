import type { Connection } from '../db/client.ts'
import { listen } from '../db/listen.ts'
import { type Claimed, claimDue, keepLeases, untilDue } from '../domain/machine/claim.ts'
import { stopUsedUp } from '../domain/machine/quota.ts'
import { type StepParts, takeStep } from '../domain/machine/step.ts'
import { MACHINE_DUE } from '../domain/machine/wake.ts'

export interface ReconcilerOptions extends StepParts {
  readonly connection: Connection
  /** Cloud calls at work at once. */
  readonly concurrency: number
  /** A worker that dies is followed up by another after this long. */
  readonly leaseSeconds: number
}

export interface Running {
  /** Takes nothing new up, and settles when what is at work has come to its end. */
  stop(): Promise<void>
}

/** Quotas run out, and clocks are stepped, without anybody telling: the loop looks at least this often. */
const TICK_MS = 1_000
/** A step that takes longer is called off; its machine shows why and is tried again. */
const STEP_LIMIT_MS = 180_000
/** What is at work when the worker is told to stop may go on this long. */
const GRACE_MS = 4_000

/** Makes the cloud agree with the rows: claims machines that are due and takes a step with each. */
export function startReconciler(options: ReconcilerOptions): Running {
  const { db, concurrency, leaseSeconds, onFault } = options
  const stopping = new AbortController()
  const calledOff = new AbortController()
  const atWork = new Map<string, { readonly machine: Claimed; readonly lost: AbortController }>()
  const steps = new Set<Promise<void>>()
  let wake = () => {}
  let woken = false
  const nudged = () => {
    woken = true
    wake()
  }

  const listening = listen(options.connection, { channels: [MACHINE_DUE], heard: nudged, missed: nudged })
  const heart = setInterval(
    () => {
      void keepAlive().catch(onFault)
    },
    (leaseSeconds * 1000) / 4,
  )

  async function keepAlive() {
    const kept = await keepLeases(
      db,
      [...atWork.values()].map(({ machine }) => machine),
      leaseSeconds,
    )
    for (const [id, { lost }] of atWork) if (!kept.has(id)) lost.abort()
  }

  function begin(machine: Claimed) {
    const lost = new AbortController()
    const entry = { machine, lost }
    atWork.set(machine.id, entry)
    const signal = AbortSignal.any([lost.signal, calledOff.signal, AbortSignal.timeout(STEP_LIMIT_MS)])
    const step = takeStep(options, machine, signal)
      .catch(onFault)
      .finally(() => {
        if (atWork.get(machine.id) === entry) atWork.delete(machine.id)
        steps.delete(step)
        nudged()
      })
    steps.add(step)
  }

  async function run() {
    while (!stopping.signal.aborted) {
      woken = false
      let pause = TICK_MS
      try {
        await db.transaction().execute(stopUsedUp)
        const room = concurrency - atWork.size
        const claimed = room > 0 ? await claimDue(db, room, leaseSeconds) : []
        for (const machine of claimed) begin(machine)
        const due = atWork.size < concurrency ? await untilDue(db) : null
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
      nudged()
      await loop
      const grace = setTimeout(() => calledOff.abort(), GRACE_MS)
      await Promise.allSettled(steps)
      clearTimeout(grace)
      clearInterval(heart)
      await listening.close()
    },
  }
}
