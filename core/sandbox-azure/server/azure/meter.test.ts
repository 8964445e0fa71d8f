import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { SandboxResource } from '../sandbox-groups.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { charge } from './meter.ts'
import { addSandbox, addUser } from '@trainyard/platform/test/azure-lab-rows.ts'

let portal: TestPortal
let reconciler: TestReconciler
let user: SandboxUserId

/** Machine that costs 1,400 paise per hour. */
const machine = (since: Date | null = null): SandboxResource => ({
  kind: 'machine',
  name: 'one',
  size: 'Standard_D2s_v3',
  billed: true,
  since,
})
const gallery: SandboxResource = { kind: 'other', name: 'theirs', type: 'Microsoft.Compute/galleries', since: null }

const metered = (seconds: number, columns: Columns<SandboxRow> = {}) =>
  addSandbox(portal.app, user, { ours: true, metered_at: reconciler.timeAfter(-seconds), ...columns })
const sandbox = (id: SandboxId) => reconciler.row<SandboxRow>('sandbox', id)
const remaining = async () => {
  const { total_paise, consumed_paise } = await reconciler.row<AzureUserRow>('azure_user', user)
  return total_paise - consumed_paise
}
const setRemaining = (amount: number) =>
  reconciler.change<AzureUserRow>('azure_user', user, { total_paise: paise(amount) })
const charged = async (id: SandboxId, ...resources: SandboxResource[]) => {
  const row = await sandbox(id)
  return portal.owner.transaction().execute((tx) => charge(tx, { ...row, now: reconciler.timeAfter(0) }, resources))
}
const entries = async (id: SandboxId) => {
  const { rows } = await sql<{ seconds: number; paise: number; cost: number; resources: unknown }>`
    select extract(epoch from to_at - from_at)::float8 as seconds, paise, cost_paise as cost, resources
    from sandbox_charge where sandbox_id = ${id}`.execute(portal.owner)
  return rows
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  user = await addUser(portal.app, { object_id: 'theirs', total_paise: paise(100_000) })
})

describe('a charge', () => {
  test('covers the time since the last one, and stores the hourly cost and the uncharged resources', async () => {
    const id = await metered(1_800)
    expect(await charged(id, machine(), machine(), gallery)).toEqual({ usedUp: false, next: 300 })
    expect(await remaining()).toBe(100_000 - 1_400)
    expect(await sandbox(id)).toMatchObject({ metered_at: reconciler.timeAfter(0), paise_per_hour: 2_800 })
    expect((await sandbox(id)).not_priced).toEqual(['theirs (Microsoft.Compute/galleries)'])
    const [entry, ...more] = await entries(id)
    expect(more).toEqual([])
    expect(entry).toMatchObject({ seconds: 1_800, paise: 1_400, cost: 1_400 })
    expect(JSON.stringify(entry!.resources)).not.toContain('since')
    expect(entry!.resources).toHaveLength(3)
  })

  test.each([
    ['created before the last charge, from then on', -7_200, 1_400],
    ['created since then, from its creation on', -1_800, 700],
    ['created in the future, without cost', 60, 0],
  ])('for a resource %s', async (_, since, cost) => {
    const id = await metered(3_600)
    await charged(id, machine(reconciler.timeAfter(since)))
    expect(await remaining()).toBe(100_000 - cost)
    expect(await entries(id)).toMatchObject([{ seconds: 3_600, cost }])
  })

  test('stores no entry at the time of the last one, or for an empty sandbox', async () => {
    const again = await metered(0)
    await charged(again, machine())
    expect(await entries(again)).toEqual([])
    const empty = await metered(600)
    await charged(empty)
    expect(await entries(empty)).toEqual([])
    expect((await sandbox(empty)).metered_at).toEqual(reconciler.timeAfter(0))
  })

  test('starts with the first read', async () => {
    const id = await addSandbox(portal.app, user, { ours: true })
    await charged(id, machine())
    expect(await remaining()).toBe(100_000)
    expect(await entries(id)).toEqual([])
  })

  test('is at most the remaining credits, and the last paisa freezes all sandboxes of the user only', async () => {
    await setRemaining(1_399)
    const id = await metered(3_600)
    const otherSandbox = await metered(300, { reconcile_at: reconciler.timeAfter(200) })
    const deleted = await metered(300, { desired: 'gone', reconcile_at: reconciler.timeAfter(200) })
    const foreign = await addSandbox(portal.app, await addUser(portal.app), { reconcile_at: reconciler.timeAfter(200) })
    expect(await charged(id, machine())).toEqual({ usedUp: true, next: 300 })
    expect(await remaining()).toBe(0)
    expect(await entries(id)).toMatchObject([{ paise: 1_399, cost: 1_400 }])
    for (const each of [id, otherSandbox])
      expect(await sandbox(each)).toMatchObject({ desired: 'frozen', generation: 1, pause: 0 })
    expect(await sandbox(deleted)).toMatchObject({ desired: 'gone', generation: 0, pause: 200 })
    expect(await sandbox(foreign)).toMatchObject({ desired: 'ready', generation: 0, pause: 200 })
    await charged(id, machine())
    expect(await sandbox(id)).toMatchObject({ desired: 'frozen', generation: 1 })
  })

  test('that leaves a paisa freezes nothing', async () => {
    await setRemaining(1_401)
    const id = await metered(3_600)
    expect(await charged(id, machine())).toMatchObject({ usedUp: false, next: 5 })
    expect((await sandbox(id)).desired).toBe('ready')
  })
})

describe('the next read', () => {
  test.each([
    ['comes at the regular time while credits are sufficient', 2_000, 300],
    ['comes in half a minute when credits are low', 1_999, 30],
    ['comes when the resources will have used up the credits', 10, 26],
    ['comes after the minimum time', 1, 5],
  ])('%s', async (_, credits, next) => {
    await setRemaining(credits)
    expect(await charged(await metered(0), machine())).toEqual({ usedUp: false, next })
  })

  test('of a sandbox without costs does not change the others', async () => {
    await setRemaining(1_000)
    const otherSandbox = await addSandbox(portal.app, user, { reconcile_at: reconciler.timeAfter(200) })
    expect(await charged(await metered(0))).toEqual({ usedUp: false, next: 30 })
    expect((await sandbox(otherSandbox)).pause).toBe(200)
  })

  test("considers the cost of the user's other sandboxes, including what is not charged yet", async () => {
    await setRemaining(1_000)
    // The user has used 360 of 1,000 paise. The rest lasts 460.8 s at 5,000 per hour, so the limit of 30 s is sooner.
    await metered(360, { paise_per_hour: 3_600 })
    expect((await charged(await metered(0), machine())).next).toBe(30)
    await setRemaining(400)
    // The rest is 40 paise at 5,000 per hour.
    expect((await charged(await metered(0), machine())).next).toBe(23)
  })

  test('ignores frozen sandboxes, sandboxes that were never charged, and sandboxes of other users', async () => {
    await setRemaining(10)
    await metered(360, { paise_per_hour: 3_600, desired: 'frozen' })
    await addSandbox(portal.app, user, { paise_per_hour: 3_600 })
    await addSandbox(portal.app, await addUser(portal.app), {
      paise_per_hour: 3_600,
      metered_at: reconciler.timeAfter(-360),
    })
    expect((await charged(await metered(0), machine())).next).toBe(26)
  })

  test("near the end applies to the user's other sandboxes, except those that are sooner, failing or claimed", async () => {
    await setRemaining(10)
    const later = { reconcile_at: reconciler.timeAfter(200) }
    const typical = await metered(0, later)
    const dueSooner = await metered(0, { reconcile_at: reconciler.timeAfter(7) })
    const failing = await metered(0, { ...later, attempts: 1 })
    const leased = await metered(0, { ...later, leased_until: reconciler.timeAfter(20) })
    const frozen = await metered(0, { ...later, desired: 'frozen' })
    const foreign = await addSandbox(portal.app, await addUser(portal.app), later)
    const own = await metered(0, later)
    expect((await charged(own, machine())).next).toBe(26)
    expect((await sandbox(typical)).pause).toBe(26)
    expect((await sandbox(dueSooner)).pause).toBe(7)
    for (const remaining of [failing, leased, frozen, foreign, own]) expect((await sandbox(remaining)).pause).toBe(200)
  })
})
