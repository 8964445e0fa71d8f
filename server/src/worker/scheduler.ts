import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/schema.ts'
import { fireDue, untilNextFires } from '../domain/schedule/fire.ts'
import type { Running } from './leased-loop.ts'

/** Clocks are stepped, and schedules made, without anybody telling: the loop looks at least this often. */
const TICK_MS = 1_000

/** Fires schedules at their instants; any number of workers may do so at once. */
export function startScheduler({ db, onFault }: { readonly db: Db; onFault(fault: unknown): void }): Running {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pause = TICK_MS
      try {
        const fired = await db.transaction().execute(fireDue)
        // What is due still is another worker's just now.
        const next = await untilNextFires(db)
        if (fired > 0) pause = 0
        else if (next !== null && next > 0) pause = Math.min(TICK_MS, next)
      } catch (fault) {
        onFault(fault)
      }
      if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
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
