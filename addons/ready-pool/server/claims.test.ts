import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { machinesOf, order, people, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { tendPool, tendPools } from './tend.ts'

// No worker runs, so the spares change only by what the tests do.
const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
let training = 'Claims'
let count = 0

beforeEach(async () => {
  training = `Claims ${++count}`
  await sql`insert into training (organisation_id, name) values (${acme}, ${training})`.execute(env.db)
})

const tend = () => tendPools(env.portal.app.db, env.parts.seal, new AbortController().signal)
const setPool = (machines: number, more: object = {}) =>
  admin('POST', '/azure/readyPool', {
    trainingName: training,
    templateName: TEMPLATE,
    machines,
    power: 'running',
    guacamole: true,
    ...more,
  })
const poolOf = async () =>
  (await admin('GET', `/azure/readyPool?trainingName=${encodeURIComponent(training)}`)).body.pool
const rowsOf = () =>
  env.db
    .selectFrom('machine')
    .innerJoin('training', 'training.id', 'machine.training_id')
    .selectAll('machine')
    .where('training.name', '=', training)
    .orderBy('machine.number')
    .execute()
const sparesOf = async () => (await rowsOf()).filter(({ spare, desired }) => spare && desired !== 'gone')
const ordered = async (emails: readonly string[], more: object = {}) => {
  const { status, body } = await admin('POST', '/azure/machines', order(training, emails, more))
  expect([status, body.message]).toEqual([200, expect.stringContaining('VM Creation in Process')])
  return (await rowsOf()).filter(({ email }) => emails.includes(email))
}
/** Orders in a transaction that the test ends. */
const orderIn = async (tx: Tx, email: string) => {
  const found = await findSignInUser(tx, { email: 'admin@acme.test' })
  const { created } = await orderMachines(
    tx,
    found!.actor,
    { ...order(training, []), email: [email], createVmCount: 1 },
    {
      seal: env.parts.seal,
      jobs: { enqueue: async () => {} },
    },
  )
  return created
}
/** Sets that a machine has run for some minutes. */
const run = (id: MachineId, minutes: number, set: object = {}) =>
  sql`with opened as (
      insert into run (machine_id, organisation_id, started_at, paise_per_hour)
      select id, organisation_id, date_trunc('second', portal_now()) - make_interval(mins => ${minutes}), paise_per_hour
      from machine where id = ${id})
    update machine set observed = 'running', first_seen_at = portal_now() - make_interval(mins => ${minutes}),
      created_at = portal_now() - make_interval(mins => ${minutes + 1}) where id = ${id}`
    .execute(env.db)
    .then(() => become(id, { public_ip: '192.0.2.7', ...set }))
const become = (id: MachineId, set: object) => env.db.updateTable('machine').set(set).where('id', '=', id).execute()
const invariants = () => brokenInvariants(env.db, { quiet: false })

test('takes the machines that run first, then the stopped ones, then those in creation, and creates the rest', async () => {
  expect((await setPool(4)).body.message).toBe(`${training} keeps 4 machines of ${TEMPLATE} ready.`)
  const [creating, stopped, running, unready] = await rowsOf()
  await become(stopped!.id, { observed: 'stopped', desired: 'stopped', first_seen_at: env.now() })
  await run(running!.id, 5)
  await run(unready!.id, 5, { password_due: true })
  const expected = [running!, stopped!, creating!, unready!]
  for (const [index, spare] of expected.entries()) {
    const [machine] = await ordered([`one${index}@acme.test`])
    expect(machine).toMatchObject({
      id: spare.id,
      name: spare.name,
      desired: 'running',
      spare: false,
      withheld_at: null,
    })
    expect(machine!.admin_password).toEqual(spare.admin_password)
  }
  const [last] = await ordered(['last@acme.test'])
  expect(expected.map(({ id }) => id)).not.toContain(last!.id)
  expect(await invariants()).toEqual([])
})

test('gives 20 concurrent orders 5 spares without giving one twice, and creates the other machines', async () => {
  await setPool(5)
  const spares = await sparesOf()
  const emails = people(20)
  const replies = await Promise.all(emails.map((email) => admin('POST', '/azure/machines', order(training, [email]))))
  expect(replies.map(({ status }) => status)).toEqual(emails.map(() => 200))
  const machines = await rowsOf()
  expect(machines.map(({ email }) => email).toSorted()).toEqual(emails.toSorted())
  const taken = machines.filter(({ id }) => spares.some((spare) => spare.id === id))
  expect([machines.length, taken.length, taken.filter(({ handed_over_at }) => handed_over_at === null)]).toEqual([
    20,
    5,
    [],
  ])
  // New machines would slow down those that start now.
  await tend()
  expect(await sparesOf()).toEqual([])
  await env.step(15)
  await tend()
  expect(await sparesOf()).toHaveLength(5)
  expect(await invariants()).toEqual([])
})

test('gives an order a spare while the pool is being filled', async () => {
  await setPool(2)
  await tend()
  const spares = (await sparesOf()).map(({ id }) => id)
  await setPool(4)
  const { id } = await env.db.selectFrom('training').select('id').where('name', '=', training).executeTakeFirstOrThrow()
  await env.portal.app.db.transaction().execute(async (tx) => {
    await tendPool(tx, { training: id, organisation: acme }, env.parts.seal)
    const [machine] = await ordered(['one@acme.test'])
    expect(spares).toContain(machine!.id)
  })
  expect(await sparesOf()).toHaveLength(3)
})

test('keeps a spare for the next order if the process dies before the order is complete', async () => {
  await setPool(1)
  const [spare] = await rowsOf()
  await expect(
    env.portal.app.db.transaction().execute(async (tx) => {
      expect(await orderIn(tx, 'dead@acme.test')).toBe(0)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    }),
  ).rejects.toThrow('terminat')
  expect(
    (await rowsOf()).map(({ email, ordered_for, order_id, spare: isSpare }) => [email, ordered_for, order_id, isSpare]),
  ).toEqual([['ready machine', 'ready machine', spare!.order_id, true]])
  expect((await ordered(['next@acme.test']))[0]!.id).toBe(spare!.id)
  expect(await invariants()).toEqual([])
})

test('creates a machine while the only spare is being taken, is being deleted, or fails', async () => {
  await setPool(1)
  const [spare] = await rowsOf()
  await env.portal.app.db.transaction().execute(async (tx) => {
    expect(await orderIn(tx, 'first@acme.test')).toBe(0)
    const [second] = await ordered(['second@acme.test'])
    expect(second!.id).not.toBe(spare!.id)
    // The spare is neither counted as missing nor deleted before the order is complete.
    await tend()
    expect(await sparesOf()).toHaveLength(1)
    const { body } = await admin('DELETE', `/azure/readyPool?trainingName=${encodeURIComponent(training)}`)
    expect(body.message).toContain('keeps no more machines ready')
  })
  expect((await rowsOf()).find(({ id }) => id === spare!.id)).toMatchObject({
    email: 'first@acme.test',
    desired: 'running',
  })

  await env.step(15)
  await setPool(1)
  const [other] = await sparesOf()
  await become(other!.id, { last_error: 'No capacity.' })
  expect((await ordered(['third@acme.test']))[0]!.id).not.toBe(other!.id)
  expect(await poolOf()).toMatchObject({ ready: 0, failing: 1, failure: 'No capacity.' })
  await become(other!.id, { last_error: null })
  await env.portal.app.db.transaction().execute(async (tx) => {
    await sql`delete from ready_pool where training_id = ${other!.training_id}`.execute(tx)
    await sql`delete from pool_machine where machine_id = ${other!.id}`.execute(tx)
    expect((await ordered(['fourth@acme.test']))[0]!.id).not.toBe(other!.id)
    await sql`update machine set desired = 'gone', reconcile_at = portal_now() where id = ${other!.id}`.execute(tx)
  })
  expect(await invariants()).toEqual([])
})

test('replaces spares of a changed template, of another template and of other browser access', async () => {
  await setPool(2)
  const first = await sparesOf()
  await sql`update template set revision = revision + 1 where name = ${TEMPLATE}`.execute(env.db)
  // No order takes a machine of the earlier revision, even before it is replaced.
  const [machine] = await ordered(['new@acme.test'])
  expect(first.map(({ id }) => id)).not.toContain(machine!.id)
  await tend()
  const second = await sparesOf()
  expect(second.filter(({ id }) => first.some((old) => old.id === id))).toEqual([])
  expect(second).toHaveLength(2)
  expect((await ordered(['without@acme.test'], { guacamole: false }))[0]!.spare).toBe(false)
  expect(await sparesOf()).toHaveLength(2)
  await setPool(1, { guacamole: false })
  const third = await sparesOf()
  expect(third.map(({ guacamole }) => guacamole)).toEqual([false])
  expect((await ordered(['now@acme.test'], { guacamole: false }))[0]!.id).toBe(third[0]!.id)
  await sql`update ready_pool set template_id = null`.execute(env.db)
  await env.step(15)
  await tend()
  expect(await sparesOf()).toEqual([])
  expect((await poolOf()).paused).toBe('The template was deleted. Choose another one.')
  expect(await invariants()).toEqual([])
})

test('gives the learner all allotted hours, in addition to those that the machine ran as a spare', async () => {
  await setPool(1)
  const [spare] = await rowsOf()
  await run(spare!.id, 90)
  const [machine] = await ordered(['hours@acme.test'], { allocatedHours: 60 })
  const minutes = machine!.allotted_minutes! - 60
  expect([machine!.id, minutes >= 90 && minutes <= 92]).toEqual([spare!.id, true])
  const ends = (machine!.quota_ends_at!.getTime() - env.now().getTime()) / 60_000
  expect(Math.round(ends)).toBeGreaterThanOrEqual(59)
  expect(Math.round(ends)).toBeLessThanOrEqual(61)
})

test('no user sees, commands or opens a spare, and a learner cannot set or read a pool', async () => {
  await setPool(1)
  const [spare] = await rowsOf()
  await run(spare!.id, 1)
  const ref = { name: spare!.name, resourceGroup: spare!.place_group }
  expect(await machinesOf(admin, training)).toEqual([])
  const replies = [
    await admin('PATCH', '/azure/machines', [{ operation: 0 }, ref]),
    await admin('DELETE', '/azure/machines', [ref]),
    await admin('POST', '/remote/ticket', { vmName: spare!.name }),
    await admin('GET', `/azure/operations?vmName=${spare!.name}`),
  ]
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const learner = await env.signIn('user', 'learner@acme.test', acme)
  const foreign = await env.signIn('admin', 'admin@other.test', await env.organisation('Other'))
  const query = `/azure/readyPool?trainingName=${encodeURIComponent(training)}`
  expect([(await learner('GET', query)).status, (await foreign('GET', query)).status]).toEqual([403, 404])
  expect([(await learner('DELETE', query)).status, (await foreign('DELETE', query)).status]).toEqual([403, 404])
})

test('tends the pools of the others after a customer was removed', async () => {
  const gone = await env.organisation('Gone')
  await sql`insert into training (organisation_id, name) values (${gone}, 'Left')`.execute(env.db)
  await sql`
    insert into ready_pool (training_id, organisation_id, machine_count, power, guacamole, set_by)
    select id, organisation_id, 1, 'running', false, 'admin@gone.test' from training where organisation_id = ${gone}`.execute(
    env.db,
  )
  await sql`update organisation set removed_at = portal_now() where id = ${gone}`.execute(env.db)
  await setPool(1)
  await tend()
  expect(await sparesOf()).toHaveLength(1)
})
