import { sql } from 'kysely'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { stopOverQuota } from '@trainyard/machines/server/stop-over-quota.ts'
import { machineKind } from '@trainyard/machines/server/step.ts'
import { sweep } from '@trainyard/machines/server/sweep.ts'
import { queueOf } from '../server/run/reconcile/claim.ts'
import { workOn } from '../server/run/reconcile/work.ts'
import { setPortalClock } from './clock.ts'
import type { TestEmulator } from './emulator.ts'
import { startEnvironment } from './environment.ts'
import type { TestPortal } from './portal.ts'

/** A portal and a provider that share a manual clock. A worker's work is done on request. */
export interface SteppedEnvironment extends Pick<TestEmulator, 'changeOutside'> {
  readonly portal: TestPortal
  now(): number
  advance(seconds: number): Promise<void>
  /** Performs all of a worker's work at the current time, until none is left. */
  settle(): Promise<void>
  /** Returns the periods billed for each machine according to the provider's record. */
  billed(): Promise<Map<string, readonly { readonly from: string; readonly to: string | null }[]>>
  close(): Promise<void>
}

/** Maximum number of turns: a deletion takes one for each part of a machine. */
const TURNS = 30

export async function startSteppedEnvironment(begin: string): Promise<SteppedEnvironment> {
  const { portal, emulator, parts, stop } = await startEnvironment({ clock: 'stepped' })
  const { db, clouds } = parts
  const [machines, kind] = [queueOf<MachineRow>('machine'), machineKind(parts)]
  const fail = (bug: unknown) => {
    throw bug instanceof Error ? bug : new Error(String(bug))
  }
  let now = Date.parse(begin)
  const setClocks = async () => {
    const instant = new Date(now)
    await emulator.control('POST', '/_clock', { set: instant.toISOString() })
    await setPortalClock(portal.owner, instant)
  }
  await setClocks()
  const { signal } = new AbortController()
  return {
    portal,
    now: () => now,
    advance(seconds) {
      now += seconds * 1000
      return setClocks()
    },
    changeOutside: emulator.changeOutside,
    async settle() {
      for (let turn = 0; turn < TURNS; turn++) {
        await sweep(db, clouds, 'everything', signal)
        await db.transaction().execute(stopOverQuota)
        // The pauses between attempts are skipped, because this provider completes operations at once.
        await sql`update machine set reconcile_at = portal_now() where reconcile_at is not null`.execute(portal.owner)
        const due = await machines.claimDue(db, 100, 60)
        if (due.length === 0) return
        await Promise.all(due.map((machine) => workOn(db, kind, machine, signal, fail)))
      }
      const { rows } = await sql`select name, desired, observed, command, last_error from machine
        where reconcile_at is not null`.execute(portal.owner)
      throw new Error(`Work remains after the last turn: ${JSON.stringify(rows)}`)
    },
    async billed() {
      const { machines } = await emulator.truth('machines')
      return new Map(machines.map(({ name, billed }) => [name, billed]))
    },
    close: stop,
  }
}
