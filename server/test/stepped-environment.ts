import { sql } from 'kysely'
import type { MachineRow } from '../src/db/schema/machine.ts'
import { stopUsedUp } from '../src/domain/lab/machine/quota.ts'
import { machineKind } from '../src/domain/lab/machine/step.ts'
import { sweep } from '../src/domain/lab/machine/sweep.ts'
import { queueOf } from '../src/reconcile/claim.ts'
import { workOn } from '../src/reconcile/work.ts'
import { setPortalClock } from './clock.ts'
import type { TestEmulator } from './emulator.ts'
import { startEnvironment } from './environment.ts'
import type { TestPortal } from './portal.ts'

/** Portal and provider on one clock that stands still until it is told; the worker's work is done when asked for. */
export interface SteppedEnvironment extends Pick<TestEmulator, 'behindOurBack'> {
  readonly portal: TestPortal
  /** Where the clock stands: milliseconds, a whole second. */
  now(): number
  wait(seconds: number): Promise<void>
  /** Does all the work of a worker at the moment at which the clock stands, until none is left. */
  settle(): Promise<void>
  /** Returns the stretches that each machine was billed for by the provider's own record. */
  billed(): Promise<Map<string, readonly { readonly from: string; readonly to: string | null }[]>>
  close(): Promise<void>
}

/** Turns that whatever was asked for is done within: a deletion takes one for each thing that a machine brought. */
const TURNS = 30

export async function startSteppedEnvironment(begin: string): Promise<SteppedEnvironment> {
  const { portal, emulator, parts, stop } = await startEnvironment({ clock: 'stepped' })
  const { db, cloud } = parts
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
    wait(seconds) {
      now += seconds * 1000
      return setClocks()
    },
    behindOurBack: emulator.behindOurBack,
    async settle() {
      for (let turn = 0; turn < TURNS; turn++) {
        await sweep(db, cloud, 'everything', signal)
        await db.transaction().execute(stopUsedUp)
        // Pauses are for a provider that takes its time: this one has done what it was told.
        await sql`update machine set reconcile_at = portal_now() where reconcile_at is not null`.execute(portal.owner)
        const due = await machines.claimDue(db, 100, 60)
        if (due.length === 0) return
        await Promise.all(due.map((machine) => workOn(db, kind, machine, signal, fail)))
      }
      const { rows } = await sql`select name, desired, observed, command, last_error from machine
        where reconcile_at is not null`.execute(portal.owner)
      throw new Error(`Not settled: ${JSON.stringify(rows)}`)
    },
    async billed() {
      const { machines } = await emulator.truth('machines')
      return new Map(machines.map(({ name, billed }) => [name, billed]))
    },
    close: stop,
  }
}
