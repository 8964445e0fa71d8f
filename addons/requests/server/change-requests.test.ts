import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setRoleOf } from '@trainyard/platform/test/role.ts'
import type { ChangeRequest } from '../contract/change-request.ts'
import { OPEN_REQUESTS_MAX } from '../contract/change-request-words.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'

const env = await sharedEnvironment()
await env.worker()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)
const root = await env.signIn('superadmin', 'root@portal.test', null)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const teacher = await env.signIn('user', 'teacher@acme.test', acme)
const other = await env.signIn('user', 'other@acme.test', acme)
/** Field of the limit. Despite its name, the unit is minutes. */
const LIMITED = { allocatedHours: 60 * 60 }
await admin('POST', '/azure/machines', order('Linux', ['learner@acme.test', 'teacher@acme.test'], LIMITED))
await admin('POST', '/azure/machines', order('Secret', ['other@acme.test'], LIMITED))
await admin('POST', '/azure/machines', order('Free', ['learner@acme.test']))
await admin('POST', '/azure/class/instructors', { trainingName: 'Linux', email: 'teacher@acme.test' })
await admin('POST', '/azure/class/instructors', { trainingName: 'Secret', email: 'other@acme.test' })
const machineOf = async (email: string, training = 'Linux') =>
  (await machinesOf(admin, training)).find((machine) => machine.email === email)!
const { name: vmName } = await machineOf('learner@acme.test')
const ACME = { organization: 'Acme Learning' }

const listed = async (as: Caller) =>
  (await as('GET', '/requests')).body as { mine: ChangeRequest[]; toDecide: ChangeRequest[]; machines: string[] }
const decide = (as: Caller, id: string, overrides: object = { decision: 'approved' }) =>
  as('POST', '/requests/decide', { id, ...ACME, ...overrides })
const withdraw = (as: Caller, id: string) => as('POST', '/requests/withdraw', { id })
const requestHours = (as = learner, of = vmName, minutes = 300) =>
  as('POST', '/requests/hours', { vmName: of, minutes, reason: 'The last exercise is not finished' })
const newest = async (as = learner) => (await listed(as)).mine[0]!
const mailsTo = async (email: string) => {
  const { mails } = (await env.truth('mails')) as unknown as {
    mails: { to: string[]; subject: string; text: string }[]
  }
  return mails.filter(({ to, subject }) => to.includes(email) && subject.startsWith('Your request'))
}

test('lets an instructor approve more hours for one machine, and e-mails the learner', async () => {
  expect((await listed(learner)).machines).toEqual([vmName])
  expect(await requestHours()).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('Request sent') },
  })
  expect(await requestHours()).toMatchObject({ status: 409 })
  const { id } = await newest()
  expect((await listed(teacher)).toDecide).toMatchObject([
    {
      id,
      subject: { kind: 'hours', minutes: 300, machine: vmName, training: 'Linux' },
      by: 'learner@acme.test',
      reason: 'The last exercise is not finished',
      state: 'open',
    },
  ])
  for (const outsider of [other, foreign, learner, root]) expect((await listed(outsider)).toDecide).toEqual([])
  expect([(await decide(other, id)).status, (await decide(learner, id)).status]).toEqual([404, 403])
  expect((await foreign('POST', '/requests/decide', { id, decision: 'approved' })).status).toBe(404)
  expect((await root('POST', '/requests/decide', { id, organization: 'Globex', decision: 'approved' })).status).toBe(
    404,
  )
  expect((await decide(teacher, id)).body).toEqual({ message: `Request approved: 5 more hours for ${vmName} (Linux).` })
  expect((await machineOf('learner@acme.test')).quota.total).toBe(65 * 60)
  expect((await machineOf('teacher@acme.test')).quota.total).toBe(60 * 60)
  expect(await decide(admin, id)).toMatchObject({ status: 409 })
  const [mail] = await until(
    'the mail arrives',
    () => mailsTo('learner@acme.test'),
    (mails) => mails.length > 0,
  )
  expect(mail!.text).toContain(`teacher@acme.test approved your request: 5 more hours for ${vmName} (Linux).`)
  const { rows } = await sql<object>`
    select actor_email, before, after from audit where call = 'changeRequest.decide' and refused is null`.execute(
    env.db,
  )
  expect(rows).toEqual([{ actor_email: 'teacher@acme.test', before: { minutes: 3_600 }, after: { minutes: 3_900 } }])
})

test('a refusal changes nothing and needs a reason, which the learner and the audit see', async () => {
  await requestHours()
  const { id } = await newest()
  expect((await decide(admin, id, { decision: 'refused' })).status).toBe(400)
  expect((await decide(admin, id, { decision: 'refused', reason: 'The class has ended' })).status).toBe(200)
  expect(await newest()).toMatchObject({
    id,
    state: 'refused',
    answer: 'The class has ended',
    decidedBy: 'admin@acme.test',
  })
  expect((await machineOf('learner@acme.test')).quota.total).toBe(65 * 60)
  const { rows } = await sql<{ detail: unknown }>`
    select detail from audit where call = 'changeRequest.decide' and actor_email = 'admin@acme.test'
      and refused is null`.execute(env.db)
  expect(JSON.stringify(rows)).toContain('The class has ended')
})

test("accepts requests for more hours only for the learner's machines with a limit", async () => {
  const [secret, free] = [await machineOf('other@acme.test', 'Secret'), await machineOf('learner@acme.test', 'Free')]
  expect((await requestHours(learner, secret.name)).status).toBe(404)
  expect((await requestHours(teacher, vmName)).status).toBe(404)
  expect((await requestHours(learner, free.name)).status).toBe(409)
  for (const minutes of [0, 1.5, 100 * 60 + 1]) expect((await requestHours(learner, vmName, minutes)).status).toBe(400)
  expect((await requestHours(admin)).status).toBe(403)
})

test('refuses the approval of an own request to an instructor who is also a learner', async () => {
  const { name } = await machineOf('teacher@acme.test')
  expect((await requestHours(teacher, name)).status).toBe(200)
  const { id } = await newest(teacher)
  expect((await listed(teacher)).toDecide).toEqual([])
  expect(await decide(teacher, id)).toMatchObject({ status: 403 })
  expect((await withdraw(learner, id)).status).toBe(404)
  expect((await withdraw(teacher, id)).status).toBe(200)
  expect(await decide(admin, id)).toMatchObject({ status: 409 })
})

test('refuses to approve hours for a machine that was handed to another learner', async () => {
  await requestHours()
  const { id } = await newest()
  await sql`update machine set email = 'other@acme.test' where name = ${vmName}`.execute(env.db)
  expect(await decide(admin, id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Refuse') } })
  await sql`update machine set email = 'learner@acme.test' where name = ${vmName}`.execute(env.db)
  const replies = await Promise.all([decide(admin, id), decide(teacher, id)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await machineOf('learner@acme.test')).quota.total).toBe(70 * 60)
})

test('lets superadmins, but not admins, decide about the quota of a training', async () => {
  const changeRequest = { trainingName: 'Linux', minutes: 120, reason: 'Another day' }
  expect((await admin('POST', '/requests/quota', changeRequest)).status).toBe(200)
  expect((await admin('POST', '/requests/quota', changeRequest)).status).toBe(409)
  expect((await foreign('POST', '/requests/quota', changeRequest)).status).toBe(404)
  const { id } = await newest(admin)
  expect((await decide(admin, id)).status).toBe(404)
  const { total } = (await root('GET', '/admin/quota?trainingName=Linux')).body
  expect((await listed(root)).toDecide).toMatchObject([{ id, organization: 'Acme Learning' }])
  expect((await decide(root, id)).status).toBe(200)
  expect((await root('GET', '/admin/quota?trainingName=Linux')).body.total).toBe(total + 120)
})

test('approves a request for an admin after a superadmin has added the admin, and adds no admin itself', async () => {
  const changeRequest = { email: 'Asha@acme.test', reason: 'Our new coordinator' }
  expect((await admin('POST', '/requests/admin', changeRequest)).status).toBe(200)
  expect((await admin('POST', '/requests/admin', changeRequest)).status).toBe(409)
  expect((await admin('POST', '/requests/admin', { ...changeRequest, email: 'admin@acme.test' })).status).toBe(409)
  const { id } = await newest(admin)
  expect(await decide(root, id)).toMatchObject({
    status: 409,
    body: { message: 'asha@acme.test is not an admin yet. Add them in System Admin Panel, then approve the request.' },
  })
  await env.signIn('user', 'asha@acme.test', acme)
  expect((await decide(root, id)).status).toBe(409)
  await env.signIn('admin', 'asha@acme.test', acme)
  expect((await decide(root, id)).status).toBe(200)
  expect((await newest(admin)).subject).toEqual({ kind: 'admin', email: 'asha@acme.test' })
})

test('limits the open requests of a user, also with concurrent calls', async () => {
  const asking = await Promise.all(
    Array.from({ length: OPEN_REQUESTS_MAX + 3 }, (_, i) =>
      foreign('POST', '/requests/admin', { email: `new${i}@globex.test`, reason: 'Help' }),
    ),
  )
  expect(asking.filter(({ status }) => status === 200)).toHaveLength(OPEN_REQUESTS_MAX)
  expect(asking.filter(({ status }) => status === 409)).toHaveLength(3)
})

test('deletes requests of a user who loses the role, and decided requests after a year', async () => {
  await setRoleOf(env.db, 'admin@globex.test', 'user')
  const remaining = () =>
    sql<{ email: string }>`
    select u.email from change_request r join portal_user u on u.id = r.asked_by order by 1`.execute(env.db)
  const before = (await remaining()).rows.map(({ email }) => email)
  expect(before).not.toContain('admin@globex.test')
  await requestHours()
  await sql`update change_request set decided_at = decided_at - interval '366 days' where state <> 'open'`.execute(
    env.db,
  )
  await cleanUp(env.db)
  expect((await remaining()).rows).toEqual([{ email: 'learner@acme.test' }])
})

test('moves an open request with the learner to the machine that replaces a broken one', async () => {
  const old = await machineOf('learner@acme.test')
  // A learner can have one open request.
  await requestHours()
  const { id } = await newest()
  const replaced = await admin('PATCH', '/azure/machinesReplace', { name: vmName, resourceGroup: old.resourceGroup })
  expect(replaced.status).toBe(200)
  const next = (await machinesOf(admin, 'Linux')).find(
    ({ email, name }) => email === 'learner@acme.test' && name !== vmName,
  )!
  expect((await newest()).subject).toMatchObject({ machine: next.name })
  expect((await decide(teacher, id)).status).toBe(200)
  const { quota } = (await machinesOf(admin, 'Linux')).find(({ name }) => name === next.name)!
  expect(quota.total).toBe(next.quota.total! + 300)
})
