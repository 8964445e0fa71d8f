import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { sharedPortal } from '#test/shared.ts'
import { addTraining, type TestTraining, startReconcilerTest } from '#test/scripted-cloud.ts'
import type { Turns } from '#test/turn.ts'
import { ensureSecurityGroups, wakeEmptySecurityGroups, wakeSecurityGroups } from './security-groups.ts'

const portal = await sharedPortal()
let turns: Turns
let place: TestTraining

beforeEach(async () => {
  ;({ turns, place } = await startReconcilerTest(portal))
})

const groups = async (training: TrainingId) => {
  const { rows } = await sql<{ at: string; location: string; due: boolean; generation: number; attempts: number }>`
    select resource_group as at, location, coalesce(reconcile_at = portal_now(), false) as due, generation, attempts
    from security_group where training_id = ${training} order by resource_group`.execute(portal.owner)
  return rows
}
const cover = (training: TrainingId) => portal.owner.transaction().execute((tx) => ensureSecurityGroups(tx, training))
const rest = () =>
  sql`update security_group set reconcile_at = null, generation = 0, attempts = 1`.execute(portal.owner)
const ended = () =>
  ({
    desired: 'gone',
    observed: 'absent',
    admin_password: null,
    reconcile_at: null,
    terminated_at: turns.after(-9),
  }) as const
const RESTS = { due: false, generation: 0, attempts: 1 }
const WOKEN = { due: true, generation: 1, attempts: 0 }

test('creates one group of a training in each resource group with a live machine, ignoring case', async () => {
  await place.add()
  await place.add({ resource_group: 'LABS', location: 'eastus' })
  await place.add({ resource_group: 'far', location: 'westus' })
  await place.add({ ...ended(), resource_group: 'gone' })
  await (await addTraining(portal.app)).add({ resource_group: 'theirs' })
  await cover(place.training)
  const made = { due: true, generation: 1, attempts: 0 }
  expect(await groups(place.training)).toEqual([
    { at: 'far', location: 'westus', ...made },
    { at: 'labs', location: 'eastus', ...made },
  ])
  await rest()
  await cover(place.training)
  expect(await groups(place.training)).toMatchObject([
    { at: 'far', ...WOKEN },
    { at: 'labs', ...WOKEN },
  ])
})

test('makes only the groups of this training due', async () => {
  const other = await addTraining(portal.app)
  for (const one of [place, other]) {
    await one.add()
    await cover(one.training)
  }
  await rest()
  await portal.owner.transaction().execute((tx) => wakeSecurityGroups(tx, place.training))
  expect(await groups(place.training)).toMatchObject([WOKEN])
  expect(await groups(other.training)).toMatchObject([RESTS])
})

test('makes only groups without machines due for deletion', async () => {
  const other = await addTraining(portal.app)
  const machines = [
    await place.add(),
    await place.add({ resource_group: 'Far' }),
    await place.add({ resource_group: 'far' }),
  ]
  await other.add({ resource_group: 'labs' })
  for (const one of [place, other]) await cover(one.training)
  await rest()
  const wake = (...trainings: TrainingId[]) =>
    portal.owner.transaction().execute((tx) => wakeEmptySecurityGroups(tx, trainings))
  const end = (id: string) =>
    sql`update machine set desired = 'gone', observed = 'absent', admin_password = null, reconcile_at = null,
      terminated_at = portal_now() where id = ${id}`.execute(portal.owner)
  await end(machines[0]!)
  await end(machines[1]!)
  await wake(other.training)
  await wake()
  expect(await groups(place.training)).toMatchObject([RESTS, RESTS])
  await wake(place.training, other.training)
  expect(await groups(place.training)).toMatchObject([
    { at: 'far', ...RESTS },
    { at: 'labs', ...WOKEN },
  ])
  expect(await groups(other.training)).toMatchObject([RESTS])
})
