import { sql } from 'kysely'
import nodeIcal from 'node-ical'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { classroom } from '../contract/classroom.ts'
import { CLASS } from '../contract/classroom-words.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)
const teacher = await env.signIn('user', 'meera@acme.test', acme)
const other = await env.signIn('user', 'other@acme.test', acme)
await sql`update portal_user set name = 'Meera Iyer' where email = 'meera@acme.test'`.execute(env.db)
await sql`update organisation set time_zone = 'Europe/Berlin' where id = ${acme}`.execute(env.db)

/** Returns a day that does not end during the test and is not near a clock change in Berlin. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const longDay = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    .format(new Date(`${date}T00:00Z`))
    .replace(',', '')
const BOUNCING = 'bouncing@acme.test'
const ASHA = 'asha@acme.test'
const BOTH = 'both@acme.test'

interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly text: string }[]
}
const mailsTo = async (email: string) => {
  const { mails } = (await env.truth('mails')) as unknown as { mails: Mail[] }
  return mails.filter(({ to }) => to.includes(email))
}
/**
 * Returns the newest e-mail, once `count` e-mails have arrived. If a link is revoked before its e-mail is sent, the
 * e-mail is skipped.
 */
const mailTo = async (email: string, count: number) => {
  const mails = await until(
    `mail ${count} arrives`,
    () => mailsTo(email),
    (all) => all.length === count,
  )
  return mails.at(-1)!
}
const linkIn = ({ text }: Mail) => /#token=(\S+)/.exec(text)![1]!
const open = async (token: string, timeZone?: string) => {
  const reply = await env.portal.request('POST', '/user/invitation', { body: { token, timeZone } })
  return { status: reply.status, body: (await reply.json()) as { nextClass: { startsAt: string; readyAt: string } } }
}
const TRAINING_QUERY = 'trainingName=Linux%20basics'
const state = async (email: string, as = admin, of = TRAINING_QUERY) => {
  const { body } = await as('GET', `/azure/class/invitations?${of}`)
  return (body as ReplyOf<typeof classroom.invitations>).learners.find((each) => each.email === email)
}
const invite = (as: typeof admin, body: object, trainingName = 'Linux basics') =>
  as('POST', '/azure/class/invitation', { trainingName, ...body })
const ready = { date: day(5), time: '08:45' }
await env.emulator.fault({ kind: 'rejectRecipient', operation: 'Mail_Recipient', name: BOUNCING })
await env.worker()

test('an invitation names training, time, instructor and help address, and has a calendar file', async () => {
  await admin('POST', '/azure/machines', order('Linux basics', [ASHA, BOUNCING, BOTH], { readyBy: ready }))
  await admin('POST', '/azure/class/instructors', { trainingName: 'Linux basics', email: 'meera@acme.test' })
  await admin('POST', '/azure/sessions', {
    trainingName: 'Linux basics',
    from: ready.date,
    until: day(120),
    weekdays: [new Date(ready.date).getUTCDay() || 7],
    start: '09:00',
    stop: '17:30',
    limitAccess: false,
    skipHolidays: true,
  })
  await admin('PATCH', '/admin/organization/profile', { helpEmail: 'help@acme.test' })
  await mailTo(ASHA, 1)
  expect((await invite(admin, { email: ASHA })).status).toBe(200)
  const mail = await mailTo(ASHA, 2)
  expect(mail.subject).toBe('Your invitation to Linux basics at Acme Learning')
  const on = longDay(ready.date)
  for (const text of [mail.text, mail.html]) {
    expect(text).toContain(`will be ready on ${on} at 08:45.`)
    for (const value of ['Linux basics', `${on} at 09:00 to 17:30 (Europe/Berlin)`, 'Meera Iyer', 'help@acme.test'])
      expect(text).toContain(value)
  }
  const [file] = mail.attachments
  expect([file!.name, file!.type]).toEqual(['class.ics', 'text/calendar'])
  const events = Object.values(nodeIcal.sync.parseICS(file!.text)).filter((each) => each?.type === 'VEVENT')
  expect(events).toHaveLength(17)
  expect(Math.min(...events.map((event) => (event as { start: Date }).start.getTime()))).toBe(
    (await sql<{ at: Date }>`select min(starts_at) as at from class_session`.execute(env.db)).rows[0]!.at.getTime(),
  )
})

test('without sessions, the calendar file has the ready time, and the e-mail names the admin who ordered', async () => {
  await admin('POST', '/azure/machines', order('Once', ['once@acme.test'], { readyBy: ready }))
  await admin('PATCH', '/admin/organization/profile', { helpEmail: null })
  await mailTo('once@acme.test', 1)
  await invite(admin, { email: 'once@acme.test' }, 'Once')
  const mail = await mailTo('once@acme.test', 2)
  expect(mail.text).toContain('Help: admin@acme.test')
  expect(mail.attachments[0]!.text).toContain('SUMMARY:Once')
})

test("a link is valid until the training ends or the learner's machine is deleted", async () => {
  const mail = await mailTo(ASHA, 2)
  expect((await state(ASHA))!.invitation!.until.slice(0, 10) > day(100)).toBe(true)
  const opened = await open(linkIn(mail), 'Pacific/Auckland')
  expect(opened.body).toMatchObject({ nextClass: { trainingName: 'Linux basics' } })
  const { readyAt, startsAt } = opened.body.nextClass
  expect([startsAt, readyAt].map((at) => at.slice(0, 10))).toEqual([ready.date, ready.date])
  await sql`update invitation set created_at = created_at - interval '60 days', expires_at = expires_at - interval '60 days'`.execute(
    env.db,
  )
  expect((await open(linkIn(mail))).status).toBe(200)
  await sql`update machine set desired = 'gone' where email = ${ASHA}`.execute(env.db)
  expect((await open(linkIn(mail))).status).toBe(404)
  await sql`update machine set desired = 'stopped', withheld_at = portal_now() where email = ${ASHA}`.execute(env.db)
  expect((await open(linkIn(mail))).status).toBe(404)
  await sql`update machine set withheld_at = null where email = ${ASHA}`.execute(env.db)
  await sql`update training set ends_on = current_date - 1 where name = 'Linux basics'`.execute(env.db)
  expect((await open(linkIn(mail))).status).toBe(404)
  await sql`update training set ends_on = null`.execute(env.db)
})

test('the class shows the state of invitations, and a later e-mail uses the time zone of the browser', async () => {
  expect(await state(ASHA)).toMatchObject({
    joined: false,
    invitation: { bounced: null, openedAt: expect.any(String) },
  })
  const bounced = await until(
    'the rejection is stored',
    () => state(BOUNCING),
    (each) => each!.invitation?.bounced != null,
  )
  expect(bounced!.invitation).toMatchObject({ deliveredAt: null, openedAt: null })
  expect((await state(BOTH))!.invitation).toMatchObject({ deliveredAt: expect.any(String), openedAt: null })
  await invite(admin, { email: ASHA })
  expect((await mailTo(ASHA, 3)).text).toContain('(Pacific/Auckland)')
  expect((await state(ASHA))!.invitation).toMatchObject({ openedAt: null })
})

test('an instructor invites learners of the class again, and corrects addresses that only this class has', async () => {
  const wrong = { email: BOUNCING, newEmail: 'right@acme.test' }
  for (const [as, of] of [
    [other, TRAINING_QUERY],
    [foreign, TRAINING_QUERY],
    [teacher, 'trainingName=Once'],
  ] as const)
    expect((await as('GET', `/azure/class/invitations?${of}`)).status).toBeGreaterThan(402)
  expect((await invite(foreign, wrong)).status).toBe(404)
  expect((await invite(teacher, { email: 'once@acme.test' }, 'Once')).status).toBe(404)
  expect((await invite(teacher, { email: 'once@acme.test' })).status).toBe(404)
  expect((await invite(teacher, { email: BOTH, newEmail: 'meera@acme.test' })).status).toBe(409)
  expect((await invite(teacher, { email: BOTH })).status).toBe(200)
  await admin('POST', '/azure/machines', order('Once', [BOUNCING], { readyBy: ready }))
  expect((await invite(teacher, wrong)).body.message).toBe(CLASS.inOtherClasses(BOUNCING))
  await until(
    'the new invitation is rejected',
    () => state(BOUNCING),
    (each) => each!.invitation?.bounced != null,
  )
  await sql`update machine set desired = 'gone' where email = ${BOUNCING}
    and training_id = (select id from training where name = 'Once')`.execute(env.db)
  expect((await invite(teacher, wrong)).status).toBe(200)
  await mailTo('right@acme.test', 1)
  expect(await state(BOUNCING, teacher)).toBeUndefined()
  expect(env.bugs).toEqual([])
})
