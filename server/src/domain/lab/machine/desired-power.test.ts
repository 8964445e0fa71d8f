import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Minutes } from '@trainyard/contract/words/duration.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { sharedPortal } from '#test/shared.ts'
import { addTraining, type TestTraining, startReconcilerTest } from '#test/scripted-cloud.ts'
import type { Turns } from '#test/turn.ts'
import { increaseQuota } from './increase-quota.ts'
import { stopOverQuota } from './stop-over-quota.ts'
import { clearRefusal, recordRefusal } from './refusal.ts'
import { setDesiredPower, requestRestart } from './desired-power.ts'

const minutes = (count: number) => count as Minutes

const portal = await sharedPortal()
let turns: Turns
let place: TestTraining

beforeEach(async () => {
  ;({ turns, place } = await startReconcilerTest(portal))
})

const machine = (id: MachineId) => turns.row<MachineRow>('machine', id)
const failing: Columns<MachineRow> = {
  observed: 'running',
  attempts: 3,
  last_error: 'No.',
  refused: true,
  reconcile_at: null,
}
const FAILURES_CLEARED = { attempts: 0, last_error: null, refused: false, generation: 1, pause: 0 }
const ended = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const

test('setting a desired state schedules the machine, clears failures and drops a requested restart', async () => {
  const changed = await place.add({ ...failing, restart_asked_at: turns.after(-9) })
  const untouched = await place.add(failing)
  await portal.owner.transaction().execute((tx) => setDesiredPower(tx, [changed], 'stopped'))
  expect(await machine(changed)).toMatchObject({ ...FAILURES_CLEARED, desired: 'stopped', restart_asked_at: null })
  expect(await machine(untouched)).toMatchObject({ desired: 'running', attempts: 3, generation: 0, pause: null })
})

test('requesting a restart of a stopped machine also sets its desired state to running', async () => {
  const changed = await place.add({ ...failing, desired: 'stopped' })
  const untouched = await place.add(failing)
  await portal.owner.transaction().execute((tx) => requestRestart(tx, [changed]))
  expect(await machine(changed)).toMatchObject({
    ...FAILURES_CLEARED,
    desired: 'running',
    restart_asked_at: turns.after(0),
  })
  expect(await machine(untouched)).toMatchObject({ restart_asked_at: null, generation: 0 })
})

test('keeps the desired state of a machine that must be deleted or is terminated', async () => {
  const going = await place.add({ desired: 'gone', reconcile_at: turns.after(30) })
  const gone = await place.add({ ...ended, terminated_at: turns.after(-9) })
  await portal.owner.transaction().execute(async (tx) => {
    await setDesiredPower(tx, [going, gone], 'running')
    await requestRestart(tx, [going, gone])
  })
  expect(await machine(going)).toMatchObject({ desired: 'gone', generation: 0, restart_asked_at: null, pause: 30 })
  expect(await machine(gone)).toMatchObject({ desired: 'gone', generation: 0, pause: null })
})

test('stops a machine at the end of its quota at once and clears its failures', async () => {
  const used = await place.add({ ...failing, attempts: 3, quota_ends_at: turns.after(-1) })
  await portal.owner.transaction().execute((tx) => stopOverQuota(tx))
  expect(await machine(used)).toMatchObject({ ...FAILURES_CLEARED, desired: 'stopped' })
})

test('splits minutes evenly over live machines with a quota; the first machines get the remainder', async () => {
  const limited = [
    await place.add({ allotted_minutes: minutes(10) }),
    await place.add({ allotted_minutes: minutes(20) }),
  ]
  const others = [
    await place.add(),
    await place.add({ allotted_minutes: minutes(10), desired: 'gone' }),
    await place.add({ ...ended, allotted_minutes: minutes(10), terminated_at: turns.after(-9) }),
    await (await addTraining(portal.app)).add({ allotted_minutes: minutes(10) }),
  ]
  const allotted = (ids: readonly MachineId[]) =>
    Promise.all(ids.map(async (id) => (await machine(id)).allotted_minutes))
  const [ten, twenty] = limited.toSorted()
  const before = await allotted([ten!, twenty!])
  await portal.owner.transaction().execute((tx) => increaseQuota(tx, place.training, 7))
  expect(await allotted([ten!, twenty!])).toEqual([before[0]! + 4, before[1]! + 3])
  expect(await allotted(others)).toEqual([null, 10, 10, 10])
})

test('rejects minutes above the maximum, and minutes for a training without any quota', async () => {
  const increase = (minutes: number) =>
    portal.owner.transaction().execute((tx) => increaseQuota(tx, place.training, minutes))
  await expect(increase(5)).rejects.toThrow('No live machine of this training has a quota to increase.')
  await place.add({ allotted_minutes: minutes(10) })
  const most = Math.floor((2 ** 31 - 1) / 60) - 10
  await expect(increase(most + 1)).rejects.toThrow(
    'increaseBy must leave each machine with at most 5,96,523 hours. Choose a smaller increase.',
  )
  await increase(most)
})

test('stores a refusal only on the template with the values that the machine was created from', async () => {
  const id = await place.add()
  const { name, ...row } = await machine(id)
  const refusals = async () => {
    const { rows } = await sql<{ refusal: string | null }>`
      select refusal from template where name like ${`${place.template}%`} order by name`.execute(portal.owner)
    return rows.map(({ refusal }) => refusal)
  }
  await sql`
    insert into template (name, rate_paise, resource_group, location, vnet, vm_size, image_id, os, licence, cpu, memory, storage, disk)
    select name || ' other', rate_paise, resource_group, location, vnet, vm_size, image_id, os, licence, cpu, memory, storage, disk
    from template where name = ${place.template}`.execute(portal.owner)
  const note = (more: Columns<MachineRow> = {}) =>
    portal.owner
      .transaction()
      .execute((tx) =>
        recordRefusal(
          tx,
          { name, ...row, ...more } as MachineRow,
          `No place for the machine ${name}, ${name.toUpperCase()}, the security group training-${row.training_id}.`,
        ),
      )
  for (const other of [{ image_id: 'a:b:c' }, { vm_size: 'Other' }, { location: 'elsewhere' }]) await note(other)
  expect(await refusals()).toEqual([null, null])
  await note()
  expect(await refusals()).toEqual(['No place for a machine, a machine, a security group.', null])
  const forget = (more: Columns<MachineRow> = {}) =>
    portal.owner.transaction().execute((tx) => clearRefusal(tx, { name, ...row, ...more } as MachineRow))
  await forget({ vm_size: 'Other' })
  expect((await refusals())[0]).not.toBeNull()
  await forget()
  expect(await refusals()).toEqual([null, null])
})
