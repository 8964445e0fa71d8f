import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { roster } from '../contract/roster.ts'
import type { RosterId } from '@trainyard/platform/contract/words/ids.ts'
import { ROSTER } from '../contract/training-roster.ts'
import { addressWithoutMailbox } from '@trainyard/users/server/address.ts'
import { machinesOf, order, TEMPLATE, template } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import type { RosterTable } from '../tables.gen.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { refOf } from '@trainyard/machines/contract/machine-ref.ts'
import { replaceMachine } from '@trainyard/machines/server/replace.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { applyRoster, recordLaunch, rostersOf } from './apply.ts'
import type { ListedMember } from './compare.ts'
import { processDueMachines } from './due-machines.ts'
import { addressChanged } from '@trainyard/users/server/address.ts'

type RosterView = NonNullable<ReplyOf<typeof roster.show>['roster']>

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
await env.signIn('user', 'elsewhere@globex.test', globex)
const { db, parts } = env
const { id: templateId } = await db
  .selectFrom('template')
  .select('id')
  .where('name', '=', TEMPLATE)
  .executeTakeFirstOrThrow()

const member = (name: string, overrides: Partial<ListedMember> = {}): ListedMember => ({
  externalId: name,
  email: `${name}@acme.test`,
  name: null,
  role: 'learner',
  active: true,
  ...overrides,
})
const users = (count: number) => Array.from({ length: count }, (_, i) => member(`crowd${i}`))

async function addRoster(training: string, rules: Partial<Pick<RosterTable, 'machine_rule' | 'seats' | 'grace_days'>>) {
  const { id: training_id } = await db
    .insertInto('training')
    .values({ organisation_id: acme, name: training })
    .onConflict((on) => on.columns(['organisation_id', 'name']).doUpdateSet({ removed_at: null }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('roster')
    .values({
      organisation_id: acme,
      training_id,
      kind: 'scim_group',
      external_key: training,
      name: `${training} group`,
      machine_rule: 'on_joining',
      template_id: templateId,
      guacamole: true,
      grace_days: 14,
      made_by: 'admin@acme.test',
      ...rules,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const apply = (id: RosterId, list: readonly ListedMember[]) =>
  parts.db.transaction().execute((tx) => applyRoster(tx, parts.jobQueue, id, list))
const follow = () =>
  processDueMachines(parts.db, { seal: parts.seal, jobs: parts.jobQueue }, new AbortController().signal)
const readRoster = async (training: string, as = admin): Promise<RosterView> =>
  (await as('GET', `/azure/roster?trainingName=${encodeURIComponent(training)}`)).body.roster
const memberOf = async (training: string, name: string) =>
  (await readRoster(training)).members.find(({ email }) => email === `${name}@acme.test`)!
const decide = async (training: string, approve: boolean, version?: number) =>
  admin('POST', '/azure/roster/removal', {
    trainingName: training,
    approve,
    version: version ?? (await readRoster(training)).version,
  })

test('orders one machine for each learner who joins, with repeated and concurrent runs', async () => {
  const id = await addRoster('Joining', {})
  expect(await rostersOf(db, acme, 'scim_group', 'Joining')).toEqual([id])
  expect(await rostersOf(db, globex, 'scim_group', 'Joining')).toEqual([])
  const list = [member('asha', { name: 'Asha' }), member('ben'), member('carla', { role: 'instructor' })]
  await Promise.all([apply(id, list), apply(id, list)])
  await Promise.all([follow(), follow()])
  await apply(id, list)
  await follow()
  const machines = await machinesOf(admin, 'Joining')
  expect(machines.map(({ email, learnerName }) => `${email} ${learnerName}`).toSorted()).toEqual([
    'asha@acme.test Asha',
    'ben@acme.test null',
  ])
  const { body } = await admin('GET', '/azure/class/instructors?trainingName=Joining')
  expect(body.instructors.map(({ email }: { email: string }) => email)).toEqual(['carla@acme.test'])
  expect((await readRoster('Joining')).members.map(({ email, machine }) => [email, machine !== null])).toEqual([
    ['asha@acme.test', true],
    ['ben@acme.test', true],
    ['carla@acme.test', false],
  ])
  const audited = await db.selectFrom('audit').select('detail').where('call', '=', 'roster.run').execute()
  expect(audited).toHaveLength(1)
})

test('orders again after a worker died during an order, without a second machine', async () => {
  const id = await addRoster('Killed', {})
  await apply(id, [member('dora')])
  const broken = { seal: parts.seal, jobs: { enqueue: () => Promise.reject(new Error('killed')) } }
  await expect(processDueMachines(parts.db, broken, new AbortController().signal)).rejects.toThrow('killed')
  expect(await db.selectFrom('machine').select('id').where('email', '=', 'dora@acme.test').execute()).toEqual([])
  await follow()
  await follow()
  expect(await machinesOf(admin, 'Killed')).toHaveLength(1)
})

/** Returns true if a transaction waits for a lock. */
const waits = async () => {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()) as waits`.execute(db)
  return rows[0]!.waits
}

test('withholds the machine that replaces the one of a learner who leaves at the same time', async () => {
  const id = await addRoster('Replaced', {})
  await apply(id, [member('gita'), member('hari')])
  await follow()
  const old = (await machinesOf(admin, 'Replaced')).find(({ email }) => email === 'gita@acme.test')!
  let leaving: ReturnType<typeof apply> | undefined
  const { to } = await env.portal.app.db.transaction().execute(async (tx) => {
    const { actor } = (await findSignInUser(tx, { email: 'admin@acme.test' }))!
    const replaced = await replaceMachine(tx, actor, refOf(old), parts.seal)
    leaving = apply(id, [member('hari')])
    await until('the roster waits', waits, Boolean)
    return replaced
  })
  expect(await leaving).toMatchObject({ departed: 1 })
  expect(await memberOf('Replaced', 'gita')).toMatchObject({ state: 'left', machine: to })
  const rows = await db
    .selectFrom('machine')
    .select(['name', 'desired', 'withheld_at'])
    .where('email', '=', 'gita@acme.test')
    .orderBy('number')
    .execute()
  expect(rows).toMatchObject([
    { name: old.name, desired: 'gone' },
    { name: to, desired: 'stopped', withheld_at: expect.any(Date) },
  ])
  const { status } = await admin('PATCH', '/azure/machinesReplace', { name: to, resourceGroup: old.resourceGroup })
  expect(status).toBe(409)
})

test('replaces a machine after a directory that holds the roster and then the learner', async () => {
  const id = await addRoster('Directory', {})
  await env.signIn('user', 'ines@acme.test', acme)
  await apply(id, [member('ines')])
  await follow()
  const [old] = await machinesOf(admin, 'Directory')
  let replacing: ReturnType<typeof admin> | undefined
  await env.portal.app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('roster').select('id').where('id', '=', id).forUpdate().execute()
    replacing = admin('PATCH', '/azure/machinesReplace', refOf(old!))
    await until('the replacement waits', waits, Boolean)
    await tx.selectFrom('portal_user').select('id').where('email', '=', 'ines@acme.test').forUpdate().execute()
  })
  expect((await replacing)!.status).toBe(200)
})

test("ends a leaving learner's access at once, and deletes the machine later unless the learner returns", async () => {
  const id = await addRoster('Leaving', { grace_days: 3 })
  await apply(id, [member('emil'), member('farah')])
  await follow()
  const emil = await env.signIn('user', 'emil@acme.test', acme)
  const [machine] = await machinesOf(emil, 'Leaving')
  const ref = { name: machine!.name, resourceGroup: machine!.resourceGroup }
  await apply(id, [member('farah')])

  expect((await emil('GET', '/azure/machines?trainingName=Leaving')).status).toBe(404)
  expect((await emil('GET', '/azure/trainingName?organization=Acme%20Learning')).body.trainingNames).toEqual([])
  expect((await emil('GET', `/user/search?text=${machine!.name}`)).body.machines).toEqual([])
  expect((await emil('POST', '/remote/ticket', { vmName: machine!.name })).status).toBe(404)
  const start = (as: typeof emil) => as('PATCH', '/azure/machines', [{ operation: 1 }, ref])
  const stored = () =>
    db
      .selectFrom('machine')
      .select(['desired', 'withheld_at', 'terminated_at'])
      .where('name', '=', machine!.name)
      .executeTakeFirstOrThrow()
  expect(await stored()).toMatchObject({ desired: 'stopped' })
  // Neither the class nor its schedules start the machine of a learner who left.
  await sql`update machine set observed = 'stopped', first_seen_at = portal_now() where name = ${machine!.name}`.execute(
    db,
  )
  expect((await admin('POST', '/azure/class/power', { trainingName: 'Leaving', operation: 1 })).body.machines).toBe(0)
  expect(await stored()).toMatchObject({ desired: 'stopped' })
  expect((await start(emil)).status).toBe(404)
  expect((await start(admin)).body.message).toBe(ROSTER.withheld(machine!.name))
  expect(await memberOf('Leaving', 'emil')).toMatchObject({ state: 'left', machine: machine!.name })

  await apply(id, [member('emil'), member('farah')])
  await follow()
  expect((await machinesOf(emil, 'Leaving')).map(({ name }) => name)).toEqual([machine!.name])
  expect(await memberOf('Leaving', 'emil')).toMatchObject({ state: 'member', deletesAt: null })

  await apply(id, [member('farah')])
  await env.step(2 * 86_400)
  await follow()
  expect(await stored()).toMatchObject({ desired: 'stopped' })
  const end = () => admin('DELETE', '/azure/roster', { trainingName: 'Leaving' })
  expect((await end()).body.message).toBe(ROSTER.deletionsWait(1))
  await env.step(86_400)
  await follow()
  expect(await stored()).toMatchObject({ desired: 'gone' })
  expect((await machinesOf(admin, 'Leaving')).length).toBe(2)
  expect((await end()).body.message).toBe(ROSTER.removed('Leaving'))
})

test('ends the access of a learner whose address has changed', async () => {
  const training = 'Renamed'
  const id = await addRoster(training, {})
  await apply(
    id,
    ['nora', 'olga', 'pia', 'rosa'].map((name) => member(name)),
  )
  await follow()
  const nora = await env.signIn('user', 'nora.new@acme.test', acme)
  await env.signIn('user', 'olga.new@acme.test', acme)
  const stored = async () => {
    const rows = await db
      .selectFrom('machine')
      .innerJoin('training', 'training.id', 'machine.training_id')
      .select(['ordered_for', 'email', 'withheld_at'])
      .where('training.name', '=', training)
      .orderBy('ordered_for')
      .execute()
    return rows.map(({ ordered_for, email, withheld_at }) => [ordered_for.split('@')[0], email, withheld_at !== null])
  }
  // Nora and Pia have other addresses at the source. Pia's new address belongs to another organisation. Olga's account
  // was corrected in the portal. Rosa's machine was handed over.
  await parts.db.transaction().execute((tx) => addressChanged(tx, acme, 'olga@acme.test', 'olga.new@acme.test'))
  await sql`update machine set email = 'admin@acme.test', handed_over_at = portal_now()
    where email = 'rosa@acme.test'`.execute(db)
  const changed = [
    member('nora', { email: 'nora.new@acme.test' }),
    member('olga', { email: 'olga.new@acme.test' }),
    member('pia', { email: 'elsewhere@globex.test' }),
    member('rosa'),
  ]
  await apply(id, changed)
  expect(await machinesOf(nora, training)).toHaveLength(1)
  const unchanged = [
    ['nora', 'nora.new@acme.test', false],
    ['olga', 'olga.new@acme.test', false],
    ['pia', 'pia@acme.test', false],
    ['rosa', 'admin@acme.test', false],
  ]
  expect(await stored()).toEqual(unchanged)
  await apply(id, [])
  expect(await stored()).toEqual(unchanged.map(([name, email]) => [name, email, name !== 'rosa']))
  expect((await nora('GET', `/azure/machines?trainingName=${training}`)).status).toBe(404)
  await apply(id, changed)
  expect(await stored()).toEqual(unchanged)
})

test('defers a removal of more than a fifth until an admin who saw the current list decides', async () => {
  const id = await addRoster('Cap', { machine_rule: 'none' })
  await apply(id, users(40))
  expect(await apply(id, users(30))).toEqual({ joined: 0, returned: 0, departed: 0, pending: 10 })
  const seen = await readRoster('Cap')
  expect(seen.pendingRemoval).toMatchObject({ learners: 10 })
  expect(seen.members.filter(({ state }) => state === 'removal pending')).toHaveLength(10)
  expect((await foreignAdmin('GET', '/azure/roster?trainingName=Cap')).status).toBe(404)
  await apply(id, users(29))
  expect((await decide('Cap', true, seen.version)).body.message).toBe(ROSTER.changed)
  expect((await decide('Cap', true)).body.message).toBe(ROSTER.approved(11))
  expect((await readRoster('Cap')).members.filter(({ state }) => state === 'left')).toHaveLength(11)
  expect((await decide('Cap', true)).body.message).toBe(ROSTER.nothingPending)

  await apply(id, [])
  expect((await decide('Cap', false)).body.message).toBe(ROSTER.refused(29))
  expect(await apply(id, [])).toMatchObject({ departed: 0, pending: 0 })
  expect((await readRoster('Cap')).members.filter(({ state }) => state === 'member')).toHaveLength(29)
  // A member who is listed and removed again follows the list again.
  await apply(id, users(5))
  expect(await apply(id, users(4))).toMatchObject({ departed: 1 })
})

test('never removes users whom an admin added', async () => {
  await admin('POST', '/azure/machines', order('By hand', ['gita@acme.test']))
  await admin('POST', '/azure/class/instructors', { trainingName: 'By hand', email: 'hugo@acme.test' })
  const id = await addRoster('By hand', {})
  await apply(id, [member('gita'), member('hugo', { role: 'instructor' }), member('ines')])
  await follow()
  expect(await machinesOf(admin, 'By hand')).toHaveLength(2)
  await apply(id, [])
  expect((await readRoster('By hand')).members.map(({ email, state, byHand }) => [email, state, byHand])).toEqual([
    ['gita@acme.test', 'member', true],
    ['hugo@acme.test', 'member', true],
    ['ines@acme.test', 'left', false],
  ])
  const gita = await env.signIn('user', 'gita@acme.test', acme)
  expect(await machinesOf(gita, 'By hand')).toHaveLength(1)
  const hugo = await env.signIn('user', 'hugo@acme.test', acme)
  expect((await hugo('GET', '/azure/class?trainingName=By%20hand')).status).toBe(200)
})

test('orders within the seats, and states why the other members have no machine', async () => {
  const id = await addRoster('Seats', { seats: 2 })
  await apply(id, [member('jo'), member('kim'), member('lea'), member('x', { email: 'elsewhere@globex.test' })])
  await follow()
  expect(await machinesOf(admin, 'Seats')).toHaveLength(2)
  expect((await readRoster('Seats')).members.map(({ email, problem }) => [email, problem])).toEqual([
    [
      'elsewhere@globex.test',
      'elsewhere@globex.test cannot be added to this organisation. Use another address, or contact support.',
    ],
    ['jo@acme.test', null],
    ['kim@acme.test', null],
    ['lea@acme.test', ROSTER.full(2)],
  ])
  await apply(id, [member('jo'), member('lea')])
  await env.step(15 * 60)
  await follow()
  expect(await memberOf('Seats', 'lea')).toMatchObject({ problem: null })
})

test('orders as many machines as the cloud allows', async () => {
  const { provider, place, size } = template()
  const at = { provider, location: place.location }
  await sql`insert into cloud_place (provider, location, looked_at) values (${provider}, ${place.location}, portal_now())
    on conflict (provider, location) do update set looked_at = excluded.looked_at`.execute(db)
  const before = await db.selectFrom('machine').select('id').where('terminated_at', 'is', null).execute()
  await sql`delete from cloud_size where location = ${place.location}`.execute(db)
  await db
    .insertInto('cloud_size')
    .values({ ...at, size: size.name, family: 'few', cores: 1, withheld: null })
    .execute()
  await db
    .insertInto('cloud_limit')
    .values({ ...at, family: 'few', used: 0, allowed: before.length + 3 })
    .execute()
  const id = await addRoster('Room', {})
  await apply(
    id,
    ['ana', 'bea', 'cid', 'dov', 'eli'].map((name) => member(name)),
  )
  await follow()
  const { members } = await readRoster('Room')
  expect(members.map(({ machine }) => machine !== null)).toEqual([true, true, false, false, false])
  expect(members[4]!.problem).toContain('room for only')
  await sql`delete from cloud_limit where family = 'few'`.execute(db)
  await env.step(15 * 60)
  await follow()
  expect(await machinesOf(admin, 'Room')).toHaveLength(5)
})

test('orders at the first launch, also for a learner without a mailbox, who gets no invitation', async () => {
  const id = await addRoster('Launch', { machine_rule: 'on_first_launch' })
  const email = addressWithoutMailbox('https://lms.test', 'subject 1')
  await apply(id, [member('mia'), member('subject 1', { email, name: 'Learner 12' })])
  await follow()
  expect((await admin('GET', '/azure/machines?trainingName=Launch')).body).toEqual([])
  await parts.db.transaction().execute((tx) => recordLaunch(tx, id, 'subject 1'))
  await parts.db.transaction().execute((tx) => recordLaunch(tx, id, 'subject 1'))
  await follow()
  expect((await machinesOf(admin, 'Launch')).map((machine) => machine.email)).toEqual([email])
  const invited = await db
    .selectFrom('invitation')
    .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
    .select('portal_user.email')
    .where('portal_user.email', 'in', [email, 'asha@acme.test'])
    .execute()
  expect(invited).toEqual([{ email: 'asha@acme.test' }])
})

test('leaves a valid state', async () => {
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
  expect(env.bugs).toEqual([])
})
