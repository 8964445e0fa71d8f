import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { startEmulator } from '@trainyard/emulator/emulator.ts'
import { setPortalClock } from './clock.ts'
import type { MachineRow } from '../src/db/schema/machine.ts'
import { stopUsedUp } from '../src/domain/machine/quota.ts'
import { machineKind } from '../src/domain/machine/step.ts'
import { sweep } from '../src/domain/machine/sweep.ts'
import { queueOf } from '../src/reconcile/claim.ts'
import { workOn } from '../src/reconcile/work.ts'
import { startTestPortal, type TestPortal } from './portal.ts'
import { azureCloud } from '../src/providers/azure/cloud.ts'
import { emulatorCredential } from '../src/providers/azure/credentials.ts'

/** Portal and provider on one clock that stands still until it is told; the worker's work is done when asked for. */
export interface SteppedEnvironment {
  readonly portal: TestPortal
  /** Where the clock stands: milliseconds, a whole second. */
  now(): number
  wait(seconds: number): Promise<void>
  /** Something happens to a machine at the provider that nobody here asked for. */
  behindOurBack(machine: string, action: 'vanish' | 'shutdown' | 'start' | 'deallocate'): Promise<void>
  /** What a worker does, in the moment at which the clock stands, until nothing is left to do. */
  settle(): Promise<void>
  /** What the provider's own record says each machine was billed for. */
  billed(): Promise<Map<string, { readonly from: string; readonly to: string | null }[]>>
  close(): Promise<void>
}

/** Turns that whatever was asked for is done within: a deletion takes one for each thing that a machine brought. */
const TURNS = 30

export async function startSteppedEnvironment(begin: string): Promise<SteppedEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trainyard-stepped-'))
  const emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 0, clock: 'stepped' })
  const portal = await startTestPortal(inject('testCluster'))
  const { db, seal } = portal.app
  const cloud = azureCloud({
    subscriptionId: portal.app.config.azure.subscriptionId,
    credential: emulatorCredential(),
    emulatorUrl: emulator.url,
    lookEveryMs: 20,
  })
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(emulator.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  let now = Date.parse(begin)
  const setClocks = async () => {
    const instant = new Date(now)
    await send('POST', '/_clock', { set: instant.toISOString() })
    await setPortalClock(portal.owner, instant)
  }
  await setClocks()
  const fail = (fault: unknown) => {
    throw fault instanceof Error ? fault : new Error(String(fault))
  }
  const { signal } = new AbortController()
  return {
    portal,
    now: () => now,
    wait(seconds) {
      now += seconds * 1000
      return setClocks()
    },
    behindOurBack: async (machine, action) => void (await send('POST', `/_machines/${machine}/${action}`)),
    async settle() {
      for (let turn = 0; turn < TURNS; turn++) {
        await sweep(db, cloud, 'everything', signal)
        await db.transaction().execute(stopUsedUp)
        // Pauses are for a provider that takes its time: this one has done what it was told.
        await sql`update machine set reconcile_at = portal_now() where reconcile_at is not null`.execute(portal.owner)
        const due = await queueOf<MachineRow>('machine').claimDue(db, 100, 60)
        if (due.length === 0) return
        await Promise.all(due.map((machine) => workOn(db, machineKind({ db, cloud, seal }), machine, signal, fail)))
      }
      const { rows } = await sql`select name, desired, observed, command, last_error from machine
        where reconcile_at is not null`.execute(portal.owner)
      throw new Error(`Not settled: ${JSON.stringify(rows)}`)
    },
    async billed() {
      const { machines } = (await send('GET', '/_truth?part=machines')) as {
        machines: { name: string; billed: { from: string; to: string | null }[] }[]
      }
      return new Map(machines.map(({ name, billed }) => [name, billed]))
    },
    async close() {
      await portal.close()
      await emulator.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
