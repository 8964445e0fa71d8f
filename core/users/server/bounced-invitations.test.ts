/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { people } from '../contract/people.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)

const WRONG = 'ashaa@acme.test'
const RIGHT = 'asha@acme.test'

const rejects = (name: string, overrides: object = {}) =>
  env.emulator.fault({ kind: 'rejectRecipient', operation: 'Mail_Recipient', name, ...overrides })
const bounceOf = async (email: string) => {
  const { body } = await admin('GET', '/admin/people')
  return (body as ReplyOf<typeof people.list>).people.find((each) => each.email === email)?.bounced
}
const jobs = async () => {
  const { rows: all } = await sql<{ state: string; retries: number }>`
    select state::text, retry_count as retries from pgboss.job where name = 'user.invite' order by created_on`.execute(
    env.db,
  )
  return all
}
const mailed = async (email: string) => {
  const { mails } = (await env.truth('mails')) as unknown as { mails: { to: string[]; text: string }[] }
  return mails.filter(({ to }) => to.includes(email)).length
}
const invite = (body: object) => admin('POST', '/admin/people/invitation', body)
const messageOf = async (reply: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await reply
  return [status, body.message]
}

test("ends a rejected invitation after one attempt and shows the mail server's reply without links", async () => {
  const quoted = `5.1.1 No such user.\r\nSee http://127.0.0.1/invitation#token=${'a'.repeat(50)}`
  await rejects(WRONG, { message: quoted.replace('\r\n', ' ') })
  await rejects('busy@acme.test', { code: '451', message: '4.7.1 Try again later', times: 1 })
  await env.worker()
  await admin('POST', '/azure/machines', order('Monday class', [WRONG, 'busy@acme.test']))
  const bounced = await until('the bounce is stored', () => bounceOf(WRONG), Boolean)
  expect(bounced!.reason).toBe('550 5.1.1 No such user. See (link)')
  expect(env.messages).toContain(
    'An e-mail was not delivered because the mail server rejected it: 550 5.1.1 No such user. See (link)',
  )
  await until(
    'the busy mailbox is retried',
    () => mailed('busy@acme.test'),
    (count) => count === 1,
  )
  expect(await bounceOf('busy@acme.test')).toBeNull()
  const ended = await until('both jobs end', jobs, (all) => all.every(({ state }) => /completed|failed/.test(state)))
  expect(ended.map(({ state, retries }) => `${state} ${retries}`).sort()).toEqual(['completed 1', 'failed 0'])
  expect(env.bugs).toEqual([])
})

test('corrects only an undelivered address of the own organisation, and only to an unused address', async () => {
  expect((await foreign('POST', '/admin/people/invitation', { email: WRONG, newEmail: 'x@globex.test' })).status).toBe(
    404,
  )
  expect(await messageOf(invite({ email: 'busy@acme.test', newEmail: RIGHT }))).toEqual([
    409,
    'The address of busy@acme.test cannot be changed: only one whose invitation was rejected can.',
  ])
  expect(await messageOf(invite({ email: 'admin@acme.test' }))).toEqual([
    409,
    'admin@acme.test already has a password.',
  ])
  expect(await messageOf(invite({ email: WRONG, newEmail: 'admin@globex.test' }))).toEqual([
    409,
    'admin@globex.test cannot be added to this organisation. Use another address, or contact support.',
  ])
  expect(await messageOf(invite({ email: WRONG, newEmail: 'busy@acme.test' }))).toEqual([
    409,
    `busy@acme.test already has an account. Hand the machines of ${WRONG} over to it instead.`,
  ])
})

test('a corrected address gets the machines and a new invitation', async () => {
  expect(await messageOf(invite({ email: WRONG, newEmail: RIGHT }))).toEqual([
    200,
    `A new invitation is on its way to ${RIGHT}.`,
  ])
  await until(
    'the invitation is mailed',
    () => mailed(RIGHT),
    (count) => count === 1,
  )
  expect([await bounceOf(WRONG), await bounceOf(RIGHT)]).toEqual([undefined, null])
  const { rows: machines } = await sql<{ email: string }>`select email from machine order by email`.execute(env.db)
  expect(machines.map(({ email }) => email)).toEqual([RIGHT, 'busy@acme.test'])
})

test('sends an invitation again to the same address', async () => {
  await rejects('full@acme.test', { code: '552', message: '5.2.2 Mailbox full', times: 1 })
  await admin('POST', '/azure/machines', order('Tuesday class', ['full@acme.test']))
  await until('the bounce is stored', () => bounceOf('full@acme.test'), Boolean)
  expect((await invite({ email: 'full@acme.test' })).status).toBe(200)
  await until(
    'the invitation is mailed',
    () => mailed('full@acme.test'),
    (count) => count === 1,
  )
  expect(await bounceOf('full@acme.test')).toBeNull()
})
