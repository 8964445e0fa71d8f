import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setRoleOf } from '@trainyard/platform/test/role.ts'
import type { Notification } from '@trainyard/notifications/contract/notification.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { openEventStream } from '@trainyard/platform/test/event-stream.ts'
import { machinesOf, order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { raiseAlerts } from '@trainyard/budgets/server/alert.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'
import { failMachines } from '@trainyard/platform/test/failing-machines.ts'
import { MailRejectedError } from '@trainyard/platform/server/mail/mail.ts'
import { raiseHand } from '@trainyard/classroom/server/hand.ts'
import { recordEvaluation } from '@trainyard/budgets/server/evaluate.ts'
import { sendInvitationEmail } from '@trainyard/users/server/invitation-delivery.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'

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
const EVERYONE = { admin, foreign, root, learner, teacher, other }

await admin('POST', '/azure/machines', order('Linux', ['learner@acme.test'], { allocatedHours: 3_600 }))
await admin('POST', '/azure/machines', order('Secret', ['other@acme.test'], { allocatedHours: 3_600 }))
await admin('POST', '/azure/class/instructors', { trainingName: 'Linux', email: 'teacher@acme.test' })
await admin('POST', '/azure/class/instructors', { trainingName: 'Secret', email: 'other@acme.test' })

const listed = async (as: Caller) =>
  (await as('GET', '/notifications')).body as { unread: number; notifications: Notification[] }
const textsOf = async (as: Caller) => (await listed(as)).notifications.map(({ text }) => text)
/** Names of the users who see a text that matches. */
const readersOf = async (text: string) => {
  const readers = []
  for (const [name, as] of Object.entries(EVERYONE)) {
    if ((await textsOf(as)).some((each) => each.includes(text))) readers.push(name)
  }
  return readers
}
const raise = (as: Caller, trainingName: string) => as('POST', '/azure/class/hand', { trainingName, reason: 'stuck' })
const idOf = async (email: string) =>
  (await env.db.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

test('writes an event with its change, and shows it only to the users in its scope', async () => {
  await until(
    'both orders are ready',
    () => textsOf(admin),
    (texts) => texts.filter((text) => text === `The machine ordered from ${TEMPLATE} has been created.`).length === 2,
  )
  expect(await readersOf('has been created')).toEqual(['admin', 'teacher', 'other'])
  expect((await listed(teacher)).notifications.map(({ training }) => training)).toEqual(['Linux'])

  expect((await learner('POST', '/azure/class/hand', { trainingName: 'Linux' })).status).toBe(200)
  expect(await readersOf('learner@acme.test raised a hand.')).toEqual(['admin', 'teacher'])
  expect((await raise(learner, 'Linux')).status).toBe(200)
  expect(await readersOf('learner@acme.test raised a hand: Stuck.')).toEqual(['admin', 'teacher'])

  const training = await env.db.selectFrom('training').selectAll().where('name', '=', 'Linux').executeTakeFirstOrThrow()
  await env.db.transaction().execute(async (tx) => {
    for (const kind of ['budget', 'quota'] as const) {
      const subject = { organisation: acme, training: training.id, kind, month: null, used: 90, total: 100 }
      await raiseAlerts(tx, env.parts.jobQueue, subject, [90])
    }
    await sql`insert into budget (organisation_id, amount_paise, spending_cap, set_by)
      values (${acme}, 100, true, 'a')`.execute(tx)
    const budget = await tx.selectFrom('budget').select('id').executeTakeFirstOrThrow()
    await recordEvaluation(tx, budget.id, { isCapped: true, seconds: 60, before: null })
  })
  expect(await readersOf('90 % of the budget of Linux is used.')).toEqual(['admin'])
  expect(await readersOf('90 % of the allocated hours are used.')).toEqual(['admin'])
  expect(await readersOf('The budget of this month is used up.')).toEqual(['admin'])
  await sql`delete from budget`.execute(env.db)

  const [machine] = await machinesOf(admin, 'Linux')
  await failMachines(env.db, 'No capacity', machine!.name)
  expect(await readersOf(`${machine!.name} is failing: No capacity`)).toEqual(['admin', 'teacher'])

  for (const email of ['learner@acme.test', 'admin@acme.test']) {
    const user = await idOf(email)
    await sql`update invitation set delivered_at = null, used_at = portal_now() where user_id = ${user}`.execute(env.db)
    const { id } = await env.db
      .insertInto('invitation')
      .values({ user_id: user, expires_at: sql<Date>`portal_now() + interval '1 day'` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rejected = Promise.reject(new MailRejectedError('No such mailbox'))
    await expect(sendInvitationEmail(env.db, id, rejected)).rejects.toThrow('No such mailbox')
  }
  expect(await readersOf('The invitation to learner@acme.test was not delivered: No such mailbox')).toEqual([
    'admin',
    'teacher',
  ])
  expect(await readersOf('The invitation to admin@acme.test')).toEqual(['root'])

  await learner('POST', '/requests/hours', { vmName: machine!.name, minutes: 300, reason: 'Not finished' })
  expect(await readersOf(`learner@acme.test requests 5 more hours for ${machine!.name} (Linux): Not finished`)).toEqual(
    ['admin', 'teacher'],
  )
  const { id } = (await admin('GET', '/requests')).body.toDecide[0]
  await admin('POST', '/requests/decide', { id, decision: 'refused', reason: 'The class has ended' })
  expect(await readersOf('Your request was refused: 5 more hours')).toEqual(['learner'])
  await admin('POST', '/requests/quota', { trainingName: 'Linux', minutes: 60, reason: 'One more day' })
  expect(await readersOf('admin@acme.test requests 1 more hour for all machines of Linux')).toEqual(['root'])
})

test('an event of a change that is rolled back is not seen', async () => {
  const before = await textsOf(admin)
  const actor = (await findSignInUser(env.db, { email: 'other@acme.test' }))!.actor
  await env.db
    .transaction()
    .execute(async (tx) => {
      await raiseHand(tx, actor, { trainingName: 'Secret' })
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(await textsOf(admin)).toEqual(before)
})

test('stores read and unread per user, and refuses to mark notifications of other users', async () => {
  const toRead = async (as: Caller) => (await listed(as)).notifications.filter(({ routine }) => !routine)
  const { unread } = await listed(teacher)
  const notifications = await toRead(teacher)
  expect(unread).toBe(notifications.length)
  const ids = notifications.map(({ id }) => id)
  const mark = (as: Caller, marked: readonly string[], read = true) =>
    as('POST', '/notifications/read', { ids: marked, read })
  expect(await mark(other, ids)).toMatchObject({ status: 200 })
  expect(await mark(teacher, [ids[0]!, ids[0]!])).toMatchObject({ status: 200 })
  expect((await listed(teacher)).unread).toBe(unread - 1)
  expect((await toRead(admin)).every(({ read }) => !read)).toBe(true)
  const { rows } = await sql<{ email: string }>`
    select u.email from notification_read r join portal_user u on u.id = r.user_id`.execute(env.db)
  expect(rows).toEqual([{ email: 'teacher@acme.test' }])
  await mark(teacher, ids)
  expect((await listed(teacher)).unread).toBe(0)
  await mark(teacher, [ids[1]!], false)
  expect((await listed(teacher)).notifications.filter(({ read }) => !read).map(({ id }) => id)).toEqual([ids[1]])
  for (const invalid of [[], ['x'], Array.from({ length: 201 }, () => ids[0]!)]) {
    expect((await mark(teacher, invalid)).status).toBe(400)
  }
})

test('the number of unread notifications is streamed to a page that is open', async () => {
  const { events, close } = await openEventStream<{ unread: number; newest: string; texts: string }>(
    await env.credentials('teacher@acme.test'),
    '/notifications/events',
  )
  const received = (unread: number) =>
    until(
      `${unread} unread notifications are received`,
      async () => events.at(-1),
      (last) => last?.unread === unread,
    )
  await received(1)
  await sql`delete from raised_hand`.execute(env.db)
  await sql`update notification set created_at = created_at - interval '2 minutes'`.execute(env.db)
  await raise(learner, 'Linux')
  const before = await received(2)
  expect(before).toMatchObject({ newest: (await listed(teacher)).notifications[0]!.id })
  // The reason of a hand that is raised changes its text.
  await learner('POST', '/azure/class/hand', { trainingName: 'Linux', reason: 'question' })
  const after = await until(
    'the change of the text is received',
    async () => events.at(-1),
    (last) => last?.texts !== before!.texts,
  )
  expect(after).toMatchObject({ unread: 2, newest: before!.newest })
  close()
})

test('sends one notification for repeatedly raised hands, and for machines that fail together', async () => {
  const before = (await listed(teacher)).notifications.length
  for (let i = 0; i < 3; i++) {
    await learner('DELETE', '/azure/class/hand?trainingName=Linux')
    await raise(learner, 'Linux')
  }
  await sql`update machine set last_error = null`.execute(env.db)
  await failMachines(env.db, 'No capacity')
  expect((await listed(teacher)).notifications).toHaveLength(before)
})

test('notifies no removed instructor, and sends no notification about a deleted learner', async () => {
  await admin('DELETE', '/azure/class/instructors?trainingName=Linux&email=teacher@acme.test')
  expect(await textsOf(teacher)).toEqual([])
  await setRoleOf(env.db, 'learner@acme.test', 'admin')
  expect(JSON.stringify(await listed(admin))).not.toContain('learner@acme.test')
  await setRoleOf(env.db, 'learner@acme.test', 'user')
})

test('notifications are deleted after 90 days', async () => {
  await sql`update notification set created_at = portal_now() - interval '91 days'`.execute(env.db)
  expect(await textsOf(admin)).toEqual([])
  await cleanUp(env.db)
  expect((await sql`select from notification`.execute(env.db)).rows).toEqual([])
})
