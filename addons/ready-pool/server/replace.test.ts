import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { replaceMachine } from '@trainyard/machines/server/replace.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'

// No worker runs, so the machines change only by what the tests do.
const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@portal.test', null)
let training = ''
let count = 0

beforeEach(() => {
  training = `Broken ${++count}`
})

type Machine = Awaited<ReturnType<typeof rowsOf>>[number]

const rowsOf = () =>
  env.db
    .selectFrom('machine')
    .innerJoin('training', 'training.id', 'machine.training_id')
    .selectAll('machine')
    .where('training.name', '=', training)
    .orderBy('machine.number')
    .execute()
const become = (id: MachineId, set: object) => env.db.updateTable('machine').set(set).where('id', '=', id).execute()
/** Sets that a machine has run for some minutes. */
const run = (id: MachineId, minutes: number) =>
  sql`with opened as (
      insert into run (machine_id, organisation_id, started_at, paise_per_hour)
      select id, organisation_id, date_trunc('second', portal_now()) - make_interval(mins => ${minutes}), paise_per_hour
      from machine where id = ${id})
    update machine set observed = 'running', first_seen_at = portal_now() - make_interval(mins => ${minutes}),
      created_at = portal_now() - make_interval(mins => ${minutes + 1}),
      quota_ends_at = date_trunc('second', portal_now()) + make_interval(mins => allotted_minutes - ${minutes})
    where id = ${id}`.execute(env.db)

/** Orders a machine, and lets it fail. */
async function brokenMachine(more: object = {}): Promise<Machine> {
  const email = `learner${count}@acme.test`
  const { status, body } = await admin('POST', '/azure/machines', order(training, [email], more))
  expect([status, body.message]).toEqual([200, expect.stringContaining('VM Creation')])
  const [machine] = await rowsOf()
  await become(machine!.id, { last_error: 'The disk is damaged.', attempts: 3 })
  return (await rowsOf())[0]!
}
async function readyMachine(power = 'running'): Promise<Machine> {
  const pool = { trainingName: training, templateName: TEMPLATE, machines: 1, power, guacamole: true }
  expect((await admin('POST', '/azure/readyPool', pool)).status).toBe(200)
  return (await rowsOf()).find(({ spare }) => spare)!
}
const refOf = ({ name, place_group }: Machine) => ({ name, resourceGroup: place_group })
const replace = async (machine: Machine, as: Caller = admin) => {
  const { status, body } = await as('PATCH', '/azure/machinesReplace', refOf(machine))
  return [status, body.message]
}
/** Replaces a machine in a transaction that the test ends. */
const replaceIn = async (tx: Tx, machine: Machine) => {
  const found = await findSignInUser(tx, { email: 'admin@acme.test' })
  return replaceMachine(tx, found!.actor, refOf(machine), env.parts.seal)
}
const waitsForLock = () =>
  until(
    'a transaction waits for a lock',
    () =>
      sql<{ waits: boolean }>`
        select exists (select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()) as waits`.execute(env.db),
    ({ rows }) => rows[0]!.waits,
  )
const invariants = () => brokenInvariants(env.db, { quiet: false })
const quotaOf = async () =>
  (await root('GET', `/admin/quota?organization=Acme&trainingName=${encodeURIComponent(training)}`)).body

test('gives the learner a ready machine in the same order, with the hours that are left', async () => {
  const old = await brokenMachine({ allocatedHours: 120 })
  await run(old.id, 30)
  const spare = await readyMachine()
  await run(spare.id, 10)
  const before = await quotaOf()
  expect(await replace(old)).toEqual([200, `${old.name} is being deleted. ${spare.name} takes its place.`])
  const [gone, next] = await rowsOf()
  const used = gone!.allotted_minutes!
  expect([used >= 30 && used <= 31, gone!.desired, gone!.email]).toEqual([true, 'gone', old.email])
  expect(next).toMatchObject({
    id: spare.id,
    email: old.email,
    ordered_for: old.ordered_for,
    order_id: old.order_id,
    desired: 'running',
    spare: false,
    withheld_at: null,
  })
  const waited = next!.allotted_minutes! - (120 - used)
  expect(waited >= 10 && waited <= 11).toBe(true)
  // The time that the ready machine has waited is allotted in addition, as for an order.
  expect((await quotaOf()).total).toBe(before.total + waited)
  const { lastOrder } = (await admin('GET', `/azure/lastOrder?trainingName=${encodeURIComponent(training)}`)).body
  expect(lastOrder).toEqual({ templateName: TEMPLATE, allocatedHours: 120, guacamole: true })
  expect(await invariants()).toEqual([])
})

test('creates a machine where none is ready, with the same power and browser access', async () => {
  const old = await brokenMachine({ guacamole: false })
  await become(old.id, { desired: 'stopped', observed: 'stopped', first_seen_at: env.now(), last_error: null })
  const spare = await readyMachine()
  const [status, message] = await replace(old)
  const next = (await rowsOf()).at(-1)!
  expect([status, message]).toEqual([200, `${old.name} is being deleted. ${next.name} is being created in its place.`])
  expect(next).toMatchObject({ email: old.email, guacamole: false, desired: 'stopped', allotted_minutes: null })
  expect((await rowsOf()).find(({ id }) => id === spare.id)!.spare).toBe(true)
  expect((await machinesOf(admin, training)).map(({ name, status: shown }) => [name, shown])).toEqual([
    [old.name, 'Deleting'],
    [next.name, 'Creating'],
  ])
  expect(await invariants()).toEqual([])
})

test('stops a running ready machine that replaces a stopped one', async () => {
  const old = await brokenMachine()
  await become(old.id, { desired: 'stopped', observed: 'stopped', first_seen_at: env.now() })
  const spare = await readyMachine()
  await run(spare.id, 1)
  expect((await replace(old))[0]).toBe(200)
  expect((await rowsOf()).find(({ id }) => id === spare.id)).toMatchObject({ email: old.email, desired: 'stopped' })
})

test('keeps the seat of a learner to whom a machine of the same order was handed', async () => {
  const emails = [`first${count}@acme.test`, `second${count}@acme.test`]
  await admin('POST', '/azure/machines', order(training, emails))
  const [handed] = await rowsOf()
  await become(handed!.id, { email: emails[1], handed_over_at: env.now() })
  expect((await replace((await rowsOf())[0]!))[0]).toBe(200)
  expect((await rowsOf()).at(-1)).toMatchObject({ email: emails[1], ordered_for: emails[0] })
  expect(await invariants()).toEqual([])
})

test('refuses a machine that its learner must not use, and changes nothing', async () => {
  const old = await brokenMachine({ allocatedHours: 60 })
  await readyMachine()
  const { name, email } = old
  const before = await rowsOf()
  const refused = async (set: object, sentence: string) => {
    await become(old.id, set)
    expect(await replace(old)).toEqual([409, sentence])
    await become(old.id, Object.fromEntries(Object.keys(set).map((key) => [key, old[key as keyof Machine]])))
  }
  await refused(
    { withheld_at: env.now() },
    `The learner of ${name} has left the roster. The machine stays stopped until it is deleted. Hand it over to another learner to use it.`,
  )
  await refused(
    { create_later: true, desired: 'stopped', last_error: null },
    `${name} is not created yet. Power it on first.`,
  )
  await refused({ capturing: true }, `An image of ${name} is being created. Try again when the image is ready.`)
  await refused({ email: 'guide proof' }, `${name} has no learner.`)
  const user = env.db.updateTable('portal_user').where('email', '=', email)
  await user.set({ deactivated_at: env.now() }).execute()
  expect(await replace(old)).toEqual([409, `${email} is deactivated. Hand ${name} over instead, or delete it.`])
  await user.set({ deactivated_at: null }).execute()
  const assigned = await env.db
    .deleteFrom('template_assignment')
    .where('organisation_id', '=', acme)
    .returningAll()
    .execute()
  expect(await replace(old)).toEqual([
    409,
    `${TEMPLATE} can no longer be ordered. Order a machine of another card for the learner.`,
  ])
  await env.db.insertInto('template_assignment').values(assigned).execute()
  expect(await rowsOf()).toEqual(before)
  await run(old.id, 59)
  await env.step(30)
  expect(await replace(old)).toEqual([409, `The allocated hours of ${name} are used up.`])
  await env.step(60)
  expect(await replace(old)).toEqual([409, `The allocated hours of ${name} are used up.`])
  await become(old.id, { desired: 'gone' })
  expect(await replace(old)).toEqual([409, `${name} is being deleted.`])
})

test('starts no machine over a spending cap, and none for which the provider has no room', async () => {
  const old = await brokenMachine()
  await run(old.id, 120)
  await admin('POST', '/budgets', { trainingName: training, amount: 1, spendingCap: true })
  const [status, sentence] = await replace(old)
  expect([status, sentence]).toEqual([409, expect.stringContaining('budget')])
  await admin('POST', '/budgets', { trainingName: training, amount: 100_000, spendingCap: true })
  await sql`insert into cloud_place values ('azure', 'southindia', portal_now())`.execute(env.db)
  await sql`insert into cloud_size values ('azure', 'southindia', 'Standard_DS1_v2', 'DS', 1, null, 3584)`.execute(
    env.db,
  )
  await sql`insert into cloud_limit values ('azure', 'southindia', 'cores', 4, 4)`.execute(env.db)
  expect((await replace(old))[0]).toBe(409)
  expect(await rowsOf()).toHaveLength(1)
  await sql`delete from cloud_place`.execute(env.db)
  expect((await replace(old))[0]).toBe(200)
})

test('is a call of admins for machines of their organisation', async () => {
  const old = await brokenMachine()
  const learner = await env.signIn('user', old.email, acme)
  const foreign = await env.signIn('admin', 'admin@other.test', await env.organisation('Other'))
  const instructor = await env.signIn('user', 'teacher@acme.test', acme)
  await admin('POST', '/azure/class/instructors', { trainingName: training, email: 'teacher@acme.test' })
  const statuses = await Promise.all([learner, instructor, foreign].map(async (as) => (await replace(old, as))[0]))
  expect(statuses).toEqual([403, 403, 404])
  expect(await replace({ ...old, place_group: 'elsewhere' })).toEqual([404, expect.any(String)])
  const spare = await readyMachine()
  expect((await replace(spare))[0]).toBe(404)
  expect(await rowsOf()).toHaveLength(2)
  expect((await replace(old, root))[0]).toBe(200)
})

test('replaces a machine once for two clicks at the same time', async () => {
  const old = await brokenMachine()
  await readyMachine()
  const replies = await Promise.all([replace(old), replace(old)])
  expect(replies.filter(([status]) => status === 200)).toHaveLength(1)
  expect(replies).toContainEqual([409, `${old.name} is being deleted.`])
  expect((await rowsOf()).filter(({ email, desired }) => email === old.email && desired !== 'gone')).toHaveLength(1)
  expect(await invariants()).toEqual([])
})

test('leaves everything as it was if the process dies before the commit', async () => {
  const old = await brokenMachine()
  await readyMachine()
  const before = await rowsOf()
  await expect(
    env.portal.app.db.transaction().execute(async (tx) => {
      await replaceIn(tx, old)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    }),
  ).rejects.toThrow('terminat')
  expect(await rowsOf()).toEqual(before)
  expect((await replace(old))[0]).toBe(200)
})

test('leaves no machine behind if the training is removed at the same time', async () => {
  const old = await brokenMachine()
  const query = new URLSearchParams({ organization: 'Acme', trainingName: training })
  let removal: ReturnType<Caller> | undefined
  await env.portal.app.db.transaction().execute(async (tx) => {
    await replaceIn(tx, old)
    removal = root('DELETE', `/azure/killTraining?${query}`)
    await waitsForLock()
  })
  expect((await removal!).status).toBe(200)
  expect((await rowsOf()).map(({ desired }) => desired)).toEqual(['gone', 'gone'])
  expect(await replace(old)).toEqual([409, `${old.name} is being deleted.`])
})
