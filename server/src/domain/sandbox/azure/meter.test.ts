import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import type { AzureUserRow, SandboxRow } from '../../../db/schema/azure-lab.ts'
import type { SandboxResource } from '../../../providers/sandbox-groups.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { charge } from './meter.ts'
import { addSandbox, addUser } from '#test/azure-lab-rows.ts'

let portal: TestPortal
let turns: Turns
let user: SandboxUserId

/** A machine of 1,400 paise an hour. */
const machine = (since: Date | null = null): SandboxResource => ({
  kind: 'machine',
  name: 'one',
  size: 'Standard_D2s_v3',
  billed: true,
  since,
})
const gallery: SandboxResource = { kind: 'other', name: 'theirs', type: 'Microsoft.Compute/galleries', since: null }

const metered = (seconds: number, columns: Columns<SandboxRow> = {}) =>
  addSandbox(portal.app, user, { ours: true, metered_at: turns.after(-seconds), ...columns })
const sandbox = (id: SandboxId) => turns.row<SandboxRow>('sandbox', id)
const left = async () => {
  const { total_paise, consumed_paise } = await turns.row<AzureUserRow>('azure_user', user)
  return total_paise - consumed_paise
}
const leave = (some: number) => turns.change<AzureUserRow>('azure_user', user, { total_paise: paise(some) })
const charged = async (id: SandboxId, ...resources: SandboxResource[]) => {
  const row = await sandbox(id)
  return portal.owner.transaction().execute((tx) => charge(tx, { ...row, now: turns.after(0) }, resources))
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
  turns = await turnsOf(portal)
  user = await addUser(portal.app, { object_id: 'theirs', total_paise: paise(100_000) })
})

describe('a charge', () => {
  test('is for the time since the last one, and the row says what an hour costs and what is not charged', async () => {
    const id = await metered(1_800)
    expect(await charged(id, machine(), machine(), gallery)).toEqual({ usedUp: false, next: 300 })
    expect(await left()).toBe(100_000 - 1_400)
    expect(await sandbox(id)).toMatchObject({ metered_at: turns.after(0), paise_per_hour: 2_800 })
    expect((await sandbox(id)).not_priced).toEqual(['theirs (Microsoft.Compute/galleries)'])
    const [entry, ...more] = await entries(id)
    expect(more).toEqual([])
    expect(entry).toMatchObject({ seconds: 1_800, paise: 1_400, cost: 1_400 })
    expect(JSON.stringify(entry!.resources)).not.toContain('since')
    expect(entry!.resources).toHaveLength(3)
  })

  test.each([
    ['made before it counts from the last one on', -7_200, 1_400],
    ['made since then counts from then on', -1_800, 700],
    ['made by a clock that is ahead costs nothing yet', 60, 0],
  ])('of what was %s', async (_, since, cost) => {
    const id = await metered(3_600)
    await charged(id, machine(turns.after(since)))
    expect(await left()).toBe(100_000 - cost)
    expect(await entries(id)).toMatchObject([{ seconds: 3_600, cost }])
  })

  test('at the same moment as the last one, and of an empty sandbox, leaves no entry', async () => {
    const again = await metered(0)
    await charged(again, machine())
    expect(await entries(again)).toEqual([])
    const empty = await metered(600)
    await charged(empty)
    expect(await entries(empty)).toEqual([])
    expect((await sandbox(empty)).metered_at).toEqual(turns.after(0))
  })

  test('begins with the first look', async () => {
    const id = await addSandbox(portal.app, user, { ours: true })
    await charged(id, machine())
    expect(await left()).toBe(100_000)
    expect(await entries(id)).toEqual([])
  })

  test('is never more than what is left, and with the last paisa all of the user are frozen, and nobody else', async () => {
    await leave(1_399)
    const id = await metered(3_600)
    const beside = await metered(300, { reconcile_at: turns.after(200) })
    const gone = await metered(300, { desired: 'gone', reconcile_at: turns.after(200) })
    const foreign = await addSandbox(portal.app, await addUser(portal.app), { reconcile_at: turns.after(200) })
    expect(await charged(id, machine())).toEqual({ usedUp: true, next: 300 })
    expect(await left()).toBe(0)
    expect(await entries(id)).toMatchObject([{ paise: 1_399, cost: 1_400 }])
    for (const one of [id, beside])
      expect(await sandbox(one)).toMatchObject({ desired: 'frozen', generation: 1, pause: 0 })
    expect(await sandbox(gone)).toMatchObject({ desired: 'gone', generation: 0, pause: 200 })
    expect(await sandbox(foreign)).toMatchObject({ desired: 'ready', generation: 0, pause: 200 })
    await charged(id, machine())
    expect(await sandbox(id)).toMatchObject({ desired: 'frozen', generation: 1 })
  })

  test('that takes all but a paisa freezes nothing', async () => {
    await leave(1_401)
    const id = await metered(3_600)
    expect(await charged(id, machine())).toMatchObject({ usedUp: false, next: 5 })
    expect((await sandbox(id)).desired).toBe('ready')
  })
})

describe('the next look', () => {
  test.each([
    ['is the usual one while there is much', 2_000, 300],
    ['is in half a minute where something large could use up what is left', 1_999, 30],
    ['is when what stands will have used it up', 10, 26],
    ['is not at once', 1, 5],
  ])('%s', async (_, credits, next) => {
    await leave(credits)
    expect(await charged(await metered(0), machine())).toEqual({ usedUp: false, next })
  })

  test('of a sandbox in which nothing costs anything leaves the others where they are', async () => {
    await leave(1_000)
    const beside = await addSandbox(portal.app, user, { reconcile_at: turns.after(200) })
    expect(await charged(await metered(0))).toEqual({ usedUp: false, next: 30 })
    expect((await sandbox(beside)).pause).toBe(200)
  })

  test('counts what the others of the user cost, and have cost since they were charged', async () => {
    await leave(1_000)
    // 360 of the 1,000 are gone already, and what is left lasts for 460.8 s of 5,000 an hour, so 30 s is sooner.
    await metered(360, { paise_per_hour: 3_600 })
    expect((await charged(await metered(0), machine())).next).toBe(30)
    await leave(400)
    // 40 of 5,000 an hour.
    expect((await charged(await metered(0), machine())).next).toBe(23)
  })

  test('counts neither frozen ones, nor those never charged, nor those of others', async () => {
    await leave(10)
    await metered(360, { paise_per_hour: 3_600, desired: 'frozen' })
    await addSandbox(portal.app, user, { paise_per_hour: 3_600 })
    await addSandbox(portal.app, await addUser(portal.app), { paise_per_hour: 3_600, metered_at: turns.after(-360) })
    expect((await charged(await metered(0), machine())).next).toBe(26)
  })

  test('near the end is the next look at the others as well, but not at those that are told or taken to be looked at', async () => {
    await leave(10)
    const later = { reconcile_at: turns.after(200) }
    const usual = await metered(0, later)
    const sooner = await metered(0, { reconcile_at: turns.after(7) })
    const failing = await metered(0, { ...later, attempts: 1 })
    const taken = await metered(0, { ...later, leased_until: turns.after(20) })
    const frozen = await metered(0, { ...later, desired: 'frozen' })
    const foreign = await addSandbox(portal.app, await addUser(portal.app), later)
    const own = await metered(0, later)
    expect((await charged(own, machine())).next).toBe(26)
    expect((await sandbox(usual)).pause).toBe(26)
    expect((await sandbox(sooner)).pause).toBe(7)
    for (const left of [failing, taken, frozen, foreign, own]) expect((await sandbox(left)).pause).toBe(200)
  })
})
