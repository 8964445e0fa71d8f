import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { MachineId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { addTraining, type TestTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { abandonedRemoteSessions, endReasons } from './ending.ts'

let portal: TestPortal
let reconciler: TestReconciler
let testTraining: TestTraining
let machine: MachineId
let name: string

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  await sql`truncate remote_session, audit cascade`.execute(portal.owner)
  testTraining = await addTraining(portal.app)
  machine = await testTraining.add({ email: 'learner@place.test', observed: 'running', public_ip: '20.0.0.1' })
  name = (await reconciler.row<MachineRow>('machine', machine)).name
})

async function addUser(role: Role, email: string, own = true): Promise<string> {
  await sql`delete from portal_user where email = ${email}`.execute(portal.owner)
  await sql`
    insert into portal_user (email, role, organisation_id, password_hash)
    select ${email}, ${role}, case when ${own} then organisation_id end, 'none' from machine where id = ${machine}`.execute(
    portal.owner,
  )
  return portal.sessionOf(email)
}

async function terminalOf(uid: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into remote_session (session_hash, user_id, email, machine_id, organisation_id)
    select ${hashToken(uid)}, s.user_id, u.email, m.id, m.organisation_id
    from machine m, session s join portal_user u on u.id = s.user_id
    where m.id = ${machine} and s.token_hash = ${hashToken(uid)} returning id`.execute(portal.owner)
  return rows[0]!.id
}
const ending = async (...terminals: string[]) => {
  const reasons = await endReasons(portal.app.db, terminals, 'optional')
  return terminals.map((terminal) => reasons.get(terminal) ?? null)
}
const row = (id: string) =>
  portal.owner.selectFrom('remote_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const learner = () => addUser('user', 'learner@place.test')

test.each<[Role, string, boolean, boolean]>([
  ['user', 'learner@place.test', true, true],
  ['user', 'other@place.test', true, false],
  ['admin', 'admin@place.test', true, true],
  ['superadmin', 'root@portal.test', false, true],
])('a terminal of a %s, %s (same organisation: %s) continues: %s', async (role, email, own, continues) => {
  const terminal = await terminalOf(await addUser(role, email, own))
  expect(await ending(terminal)).toEqual([continues ? null : REMOTE_MESSAGES.outOfScope(name)])
})

test('ends the terminal of an admin who moved to another organisation', async () => {
  const uid = await addUser('admin', 'moved@place.test')
  const terminal = await terminalOf(uid)
  await addTraining(portal.app)
  await sql`
    update portal_user set organisation_id = (
      select id from organisation where id <> (select organisation_id from machine where id = ${machine}) limit 1)
    where email = 'moved@place.test'`.execute(portal.owner)
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.outOfScope(name)])
})

test('ends a terminal when its session expires or is deleted', async () => {
  const [expired, deleted] = [await learner(), await addUser('admin', 'admin@place.test')]
  const terminals = [await terminalOf(expired), await terminalOf(deleted)]
  await sql`update session set expires_at = portal_now() where token_hash = ${hashToken(expired)}`.execute(portal.owner)
  await sql`delete from session where token_hash = ${hashToken(deleted)}`.execute(portal.owner)
  expect(await ending(...terminals)).toEqual([REMOTE_MESSAGES.signedOut, REMOTE_MESSAGES.signedOut])
})

test('ends the terminal of an admin who must set up a second factor, or change the password first', async () => {
  const uid = await addUser('admin', 'restricted@place.test')
  const terminal = await terminalOf(uid)
  const organisation = sql`(select organisation_id from machine where id = ${machine})`
  const admin = sql`email = 'restricted@place.test'`
  const require = (columns: object) =>
    portal.owner
      .updateTable('organisation')
      .set(columns)
      .where('id', '=', sql<OrganisationId>`${organisation}`)
      .execute()
  await sql`update portal_user set role_since = portal_now() - interval '1 year' where ${admin}`.execute(portal.owner)
  await require({ second_factor: 'required', second_factor_since: sql`portal_now()` })
  expect(await ending(terminal)).toEqual([null])
  await require({ second_factor_since: sql`portal_now() - interval '1 year'` })
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.signedOut])
  await require({ second_factor: null, second_factor_since: null })
  expect(await ending(terminal)).toEqual([null])
  await sql`update portal_user set password_given = true where ${admin}`.execute(portal.owner)
  expect(await ending(terminal)).toEqual([null])
  await require({ password_change_required: true })
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.signedOut])
})

test("ends only a learner's terminal outside the access window", async () => {
  const terminals = [await terminalOf(await learner()), await terminalOf(await addUser('admin', 'admin@place.test'))]
  const { rows } = await sql<{ start: string; stop: string }>`
    update training set access_start = (portal_now() at time zone o.time_zone)::time(0) + interval '1 hour',
      access_stop = (portal_now() at time zone o.time_zone)::time(0) + interval '2 hours'
    from organisation o where o.id = organisation_id and training.id = ${testTraining.training}
    returning to_char(access_start, 'HH24:MI') as start, to_char(access_stop, 'HH24:MI') as stop`.execute(portal.owner)
  expect(await ending(...terminals)).toEqual([ALERTS.outsideWindow(rows[0]!.start, rows[0]!.stop), null])
})

test('ends a terminal when its machine is powered off or stops running', async () => {
  const terminal = await terminalOf(await learner())
  await reconciler.change<MachineRow>('machine', machine, { desired: 'stopped' })
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.poweredOff(name)])
  await reconciler.change<MachineRow>('machine', machine, { desired: 'running', observed: 'changing' })
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.notRunning(name)])
})

test('marks open terminals as seen, and closes terminals not seen for 90 s with an audit row', async () => {
  const [leasedTerminal, expiredTerminal, closedTerminal] = [
    await terminalOf(await learner()),
    await terminalOf(await learner()),
    await terminalOf(await learner()),
  ]
  const admin = await terminalOf(await addUser('admin', 'admin@place.test'))
  await sql`update remote_session set seen_at = portal_now() - interval '90 seconds' where id <> ${closedTerminal}`.execute(
    portal.owner,
  )
  await sql`update remote_session set seen_at = portal_now() - interval '91 seconds' where id = ${closedTerminal}`.execute(
    portal.owner,
  )
  await reconciler.wait(0)
  expect(await ending(admin)).toEqual([null])
  expect((await row(admin)).seen_at).toEqual(reconciler.timeAfter(0))
  for (const open of [leasedTerminal, expiredTerminal]) expect((await row(open)).closed_at).toBeNull()
  expect(await row(closedTerminal)).toMatchObject({
    closed_at: reconciler.timeAfter(0),
    ended: REMOTE_MESSAGES.portalRestarting,
  })
  const { rows } = await sql<{ detail: object }>`
    select detail from audit where call = 'remote.close'`.execute(portal.owner)
  expect(rows).toEqual([
    { detail: { machine: name, terminal: closedTerminal, ended: REMOTE_MESSAGES.portalRestarting } },
  ])
})

test('ends a terminal that was closed in the meantime and does not mark it as seen', async () => {
  const terminal = await terminalOf(await learner())
  const before = reconciler.timeAfter(-40)
  await sql`update remote_session set closed_at = ${before}, seen_at = ${before}, ended = 'Closed.' where id = ${terminal}`.execute(
    portal.owner,
  )
  expect(await ending(terminal)).toEqual([REMOTE_MESSAGES.portalRestarting])
  expect(await row(terminal)).toMatchObject({ seen_at: before, closed_at: before, ended: 'Closed.' })
})

test('closes a session of a dead process in the second run of the task that finds it', async () => {
  const uid = await learner()
  const [endedTerminal, openTerminal] = [await terminalOf(uid), await terminalOf(uid)]
  await sql`update remote_session set seen_at = portal_now() - interval '1 hour'`.execute(portal.owner)
  const run = abandonedRemoteSessions(portal.app.db)
  await run()
  expect((await row(endedTerminal)).closed_at).toBeNull()
  await sql`update remote_session set seen_at = portal_now() where id = ${openTerminal}`.execute(portal.owner)
  await run()
  expect((await row(endedTerminal)).closed_at).toEqual(expect.any(Date))
  expect((await row(openTerminal)).closed_at).toBeNull()
})
