import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { breach } from '@trainyard/contract/calls/breach.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const other = await env.organisation('Other')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const superadmin = await env.signIn('superadmin', 'operator@trainyard.test', null)
for (const email of ['asha@acme.test', 'gone@acme.test']) await env.signIn('user', email, acme)
await env.signIn('user', 'ravi@other.test', other)

const FOUND = '2026-01-31T09:30:00.000Z'
const DETAILS = {
  consequences: 'Others can read the <names>.',
  measures: 'The laptop was locked.',
  advice: 'Change your password.',
  contact: 'privacy@trainyard.test',
}
const post = (path: string, body: object) => superadmin('POST', `/privacy/breaches${path}`, body)
const fileOf = async (path: string, number: number) => {
  const { token, url } = await env.credentials('operator@trainyard.test')
  const reply = await fetch(`${url}/privacy/breaches${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number }),
  })
  return reply.text()
}
const breaches = async () =>
  ((await superadmin('GET', '/privacy/breaches')).body as ReplyOf<typeof breach.list>).breaches
const mails = async () => {
  const reply = (await env.truth('mails')) as unknown as { mails: { to: string[]; subject: string; text: string }[] }
  return reply.mails.filter(({ subject }) => subject.startsWith('Security incident'))
}
const noticesOf = (number: number, expected: object) =>
  until(
    'the notices are processed',
    async () => (await breaches()).find((row) => row.number === number)!.notices,
    (notices) => Object.entries(expected).every(([name, count]) => notices[name as 'sent'] === count),
  )

// @covers A489 A490 A491
test('notifies affected users and admins of their organisations once, and drafts the report to the Board', async () => {
  expect(await post('', { what: 'A laptop was stolen.', foundAt: '2999-01-01T00:00:00Z' })).toMatchObject({
    status: 400,
  })
  expect(await post('', { what: 'A laptop was stolen.', foundAt: FOUND })).toMatchObject({ status: 200 })
  const { number } = (await breaches())[0]!
  expect(await admin('GET', '/privacy/breaches')).toMatchObject({ status: 403 })
  expect(await admin('POST', '/privacy/breaches/notices', { number })).toMatchObject({ status: 403 })
  expect(await post('/affected', { number, emails: ['absent@acme.test', 'asha@acme.test'] })).toMatchObject({
    status: 404,
    body: { message: 'There is no account of absent@acme.test.' },
  })
  expect(await post('/affected', { number })).toMatchObject({ status: 400 })
  const added = await post('/affected', { number, emails: ['asha@acme.test', 'gone@acme.test'], organization: 'Other' })
  expect(added.body.message).toBe(`3 users added to breach ${number}.`)
  expect((await post('/affected', { number, emails: ['asha@acme.test'] })).body.message).toBe(
    `0 users added to breach ${number}.`,
  )

  expect(await post('/notices', { number })).toMatchObject({
    status: 409,
    body: {
      message: expect.stringContaining('Enter the consequences, the measures, the advice to users, the contact'),
    },
  })
  expect(await superadmin('PATCH', '/privacy/breaches', { number, ...DETAILS })).toMatchObject({ status: 200 })
  await sql`delete from portal_user where email = 'gone@acme.test'`.execute(env.db)
  await env.emulator.fault({ kind: 'rejectRecipient', operation: 'Mail_Recipient', name: 'ravi@other.test', times: 1 })
  const requested = await Promise.all([post('/notices', { number }), post('/notices', { number })])
  expect(requested.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await env.worker()
  await noticesOf(number, { waiting: 0, requested: 0, sent: 2, failed: 2 })
  // Failed notices are sent again: the deleted account fails again.
  expect((await post('/notices', { number })).body.message).toBe('2 notices are being sent.')
  await noticesOf(number, { requested: 0, sent: 3, failed: 1 })

  const sent = (await mails()).toSorted((a, b) => a.to[0]!.localeCompare(b.to[0]!))
  expect(sent.map(({ to }) => to[0])).toEqual(['admin@acme.test', 'asha@acme.test', 'ravi@other.test'])
  expect(sent[0]!.text).toContain('Personal data of 2 users of Acme in Trainyard was affected')
  for (const text of ['A laptop was stolen.', ...Object.values(DETAILS), '/privacy'])
    expect(sent[1]!.text).toContain(text)

  const draft = await fileOf('/draft', number)
  for (const text of ['2026-02-03 09:30 UTC, 72 hours', 'Affected users: 3', '- Acme: 2', 'Sent: 3.', 'Failed: 1.'])
    expect(draft).toContain(text)
  expect(draft).toContain('Events, circumstances and reasons that led to the breach\n[Not stated yet.')
  const csv = await fileOf('/recipients', number)
  expect(csv).toMatch(/user,gone@acme\.test,Acme,\S+,,The account no longer exists\./)
  expect(csv).toMatch(/user,asha@acme\.test,Acme,\S+Z,\S+Z,\r\n/)

  expect(await post('/report', { number })).toMatchObject({ status: 200 })
  expect(await post('/report', { number })).toMatchObject({ status: 409 })
  expect((await breaches())[0]).toMatchObject({
    foundAt: FOUND,
    boardReportDue: '2026-02-03T09:30:00.000Z',
    boardReportedAt: expect.any(String),
    affected: [
      { organization: 'Acme', users: 2 },
      { organization: 'Other', users: 1 },
    ],
  })
  expect(env.bugs).toEqual([])
})

// @covers A492
test('e-mails name the privacy notice of the user’s organisation, or the notice of the portal', async () => {
  const noticeUrl = 'https://acme.test/privacy?a=1&b=2'
  expect(await admin('PATCH', '/privacy/settings', { noticeUrl })).toMatchObject({ status: 200 })
  for (const email of ['asha@acme.test', 'ravi@other.test']) await superadmin('POST', '/user/forgot', { email })
  const resets = await until(
    'both e-mails arrive',
    async () =>
      (
        (await env.truth('mails')) as unknown as { mails: { to: string[]; subject: string; text: string }[] }
      ).mails.filter(({ to, subject }) => /asha|ravi/.test(to[0]!) && !subject.startsWith('Security incident')),
    (found) => found.length === 2,
  )
  const notices = new Map(resets.map(({ to, text }) => [to[0]!, /Privacy notice: (\S+)\s*$/.exec(text)?.[1]]))
  expect(notices.get('asha@acme.test')).toBe(noticeUrl)
  expect(notices.get('ravi@other.test')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/privacy$/)
})
