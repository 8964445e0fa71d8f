import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { smtpMail } from '@trainyard/platform/server/mail/smtp-mail.ts'
import { RESET_LINKS_MAX, sendPasswordReset } from './password-reset.ts'
import { addInvitation } from './invite-users.ts'
import { invitationToken, RESET_LINK_MINUTES } from './invitation-link.ts'
import { hashPassword } from './passwords.ts'

const PASSWORD = 'a good long password'
let env: TestEnvironment
let userCount = 0

beforeAll(async () => {
  env = await startEnvironment({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
  await env.worker()
})
afterAll(() => env.stop())

async function addSuperadmin(password: string | null = PASSWORD): Promise<string> {
  const email = `forgetful${(userCount += 1)}@portal.test`
  const password_hash = password === null ? null : await hashPassword(password)
  await env.db
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash })
    .execute()
  return email
}

interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}
const mailsTo = async (email: string): Promise<Mail[]> => {
  const { mails } = (await (await fetch(`${env.emulator.url}/_truth`)).json()) as { mails: Mail[] }
  return mails.filter(({ to }) => to.includes(email))
}
const waitForMail = (email: string, condition: (mails: Mail[]) => boolean) =>
  until(`there is mail for ${email}`, () => mailsTo(email), condition)
const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  env.portal.request('POST', path, { body, headers: { 'x-forwarded-for': `10.1.${userCount}.1`, ...headers } })
const forgot = (email: string) => send('/user/forgot', { email })
const tokenIn = (mail: Mail): string => /#token=(\S+)/.exec(mail.text)![1]!
const setPassword = (token: string, password = 'quite another one') => send('/user/password', { token, password })
const logIn = (email: string, password: string) => send('/user/login', { email, password })

/** Requests a reset link and returns the token of the mailed link. */
async function requestResetToken(email: string, mailsBefore = 0): Promise<string> {
  expect((await forgot(email)).status).toBe(200)
  const mails = await waitForMail(email, (all) => all.length > mailsBefore)
  return tokenIn(mails.at(-1)!)
}

test('resets a password once with an e-mailed link, ends all sessions and e-mails a notice', async () => {
  const email = await addSuperadmin()
  const old = await env.portal.sessionOf(email)
  const token = await requestResetToken(email)
  const greeting = await send('/user/invitation', { token })
  expect(await greeting.json()).toEqual({
    email,
    name: null,
    organization: null,
    purpose: 'password',
    newEmail: null,
    nextClass: null,
  })
  const replies = await Promise.all([setPassword(token), setPassword(token), setPassword(token)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  expect((await setPassword(token)).status).toBe(404)
  expect((await env.portal.request('GET', '/user/me', { uid: old })).status).toBe(401)
  expect((await logIn(email, PASSWORD)).status).toBe(401)
  expect((await logIn(email, 'quite another one')).status).toBe(200)
  await waitForMail(email, (all) => all.some(({ subject }) => subject === 'Your password was changed'))
  expect(env.bugs).toEqual([])
})

test('gives the same reply for an unknown address and sends no e-mail to it', async () => {
  const replyTo = async (email: string) => {
    const reply = await forgot(email)
    return [reply.status, await reply.json()]
  }
  expect(await replyTo('nobody@portal.test')).toEqual(await replyTo(await addSuperadmin()))
  // Jobs run in order, so the job for the unknown address has run once a later job has.
  await requestResetToken(await addSuperadmin())
  expect(await mailsTo('nobody@portal.test')).toEqual([])
})

test('invalidates older links and sends at most three in half an hour', async () => {
  const email = await addSuperadmin()
  const tokens: string[] = []
  for (let sent = 0; sent < RESET_LINKS_MAX; sent += 1) tokens.push(await requestResetToken(email, sent))
  expect(new Set(tokens).size).toBe(RESET_LINKS_MAX)
  await forgot(email)
  await requestResetToken(await addSuperadmin())
  expect(await mailsTo(email)).toHaveLength(RESET_LINKS_MAX)
  const newest = tokens.at(-1)!
  for (const olderToken of tokens.slice(0, -1)) expect((await setPassword(olderToken)).status).toBe(404)
  expect((await setPassword(newest)).status).toBe(200)
})

test('expires a link after thirty minutes', async () => {
  const email = await addSuperadmin()
  const token = await requestResetToken(email)
  await env.step(RESET_LINK_MINUTES * 60 - 5)
  expect((await send('/user/invitation', { token })).status).toBe(200)
  await env.step(6)
  expect([(await send('/user/invitation', { token })).status, (await setPassword(token)).status]).toEqual([404, 404])
  expect((await logIn(email, PASSWORD)).status).toBe(200)
})

test('invalidates a link when the password changes and when the user is deleted or recreated', async () => {
  const [changed, deleted] = [await addSuperadmin(), await addSuperadmin()]
  const [tokenOfChanged, tokenOfDeleted] = [await requestResetToken(changed), await requestResetToken(deleted)]
  const uid = await env.portal.sessionOf(changed)
  const body = { password: PASSWORD, newPassword: 'chosen in the meantime' }
  expect((await env.portal.request('POST', '/user/password/change', { uid, body })).status).toBe(200)
  await env.db.deleteFrom('portal_user').where('email', '=', deleted).execute()
  expect((await setPassword(tokenOfChanged)).status).toBe(404)
  expect((await setPassword(tokenOfDeleted)).status).toBe(404)
  await env.db
    .insertInto('portal_user')
    .values({ email: deleted, role: 'superadmin', organisation_id: null, password_hash: await hashPassword(PASSWORD) })
    .execute()
  expect((await setPassword(tokenOfDeleted)).status).toBe(404)
  expect((await logIn(deleted, PASSWORD)).status).toBe(200)
})

test('rejects tokens forged from another user’s link or from an ID', async () => {
  const [ownLink, otherLink] = [
    await requestResetToken(await addSuperadmin()),
    await requestResetToken(await addSuperadmin()),
  ]
  const [id, proof] = [otherLink.slice(0, 36), ownLink.slice(37)]
  for (const forged of [`${id}.${proof}`, `${id}.${'A'.repeat(43)}`]) {
    expect(await refusalOf(setPassword(forged))).toEqual([404, MAILED_LINK.invitationNotValid])
  }
  expect((await setPassword(otherLink)).status).toBe(200)
})

async function refusalOf(sending: Promise<Response>): Promise<[status: number, message: string]> {
  const response = await sending
  return [response.status, ((await response.json()) as { message: string }).message]
}

test('reports an incomplete link as incomplete, and a used one as no longer valid', async () => {
  const token = await requestResetToken(await addSuperadmin())
  const openInvitation = (part: string) => send('/user/invitation', { token: part })
  for (const open of [openInvitation, setPassword]) {
    for (const part of ['', token.slice(0, 10)])
      expect(await refusalOf(open(part))).toEqual([400, MAILED_LINK.invitationIncomplete])
    for (const part of [token.slice(0, 36), token.slice(0, -1), `${token}.`])
      expect(await refusalOf(open(part))).toEqual([404, MAILED_LINK.invitationIncomplete])
  }
  expect((await setPassword(token)).status).toBe(200)
  for (const open of [openInvitation, setPassword])
    expect(await refusalOf(open(token))).toEqual([404, MAILED_LINK.invitationNotValid])
})

test('sets the first password of an invited user by reset link and invalidates the invitation', async () => {
  const email = await addSuperadmin(null)
  const { seal, db } = env.portal.app
  const { id: user } = await db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const invitation = invitationToken(seal, await db.transaction().execute((tx) => addInvitation(tx, user)))
  const token = await requestResetToken(email)
  expect((await send('/user/invitation', { token: invitation })).status).toBe(200)
  expect((await setPassword(token)).status).toBe(200)
  expect((await setPassword(invitation)).status).toBe(404)
})

test('sends no reset link after the invitation was revoked or has expired', async () => {
  const email = await addSuperadmin(null)
  // Another user's invitation is still valid.
  const invited = await env.db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', await addSuperadmin(null))
    .executeTakeFirstOrThrow()
  await env.db.transaction().execute((tx) => addInvitation(tx, invited.id))
  await forgot(email)
  const [mail] = await waitForMail(email, (all) => all.length === 1)
  expect(mail!.subject).toBe('Your invitation to Trainyard has expired')
  expect(mail!.text).not.toContain('#token=')
})

test('retries while the mail server is down, and starts the lifetime of the link when the e-mail is sent', async () => {
  const email = await addSuperadmin()
  const { db, seal } = env.portal.app
  const sendBy = (smtpPort: number) =>
    sendPasswordReset({
      db,
      seal,
      publicUrl: 'https://portal.test',
      mail: smtpMail({ url: `smtp://127.0.0.1:${smtpPort}`, from: 'Trainyard <portal@trainyard.test>' }),
    })
  const job = { email, link: randomUUID() }
  const { signal } = new AbortController()
  const sendToClosedPort = sendBy(await freePort())
  await expect(sendToClosedPort(job, signal)).rejects.toThrow(/ECONNREFUSED/)
  await env.step(RESET_LINK_MINUTES * 60 + 1)
  await expect(sendToClosedPort(job, signal)).rejects.toThrow(/ECONNREFUSED/)
  await env.step(3_600)
  await sendBy(env.emulator.smtpPort)(job, signal)
  await sendBy(env.emulator.smtpPort)(job, signal)
  const [mail, again] = await mailsTo(email)
  expect(tokenIn(again!)).toBe(tokenIn(mail!))
  await env.step(RESET_LINK_MINUTES * 60 - 60)
  expect((await setPassword(tokenIn(mail!))).status).toBe(200)
  // Once the link has been used, the job sends nothing.
  await sendBy(env.emulator.smtpPort)(job, signal)
  expect((await mailsTo(email)).filter(({ text }) => text.includes('#token='))).toHaveLength(2)
})

test('mails a lab user’s link to the personal address', async () => {
  const requestAsSuperadmin = await env.signIn('superadmin', 'root@portal.test', null)
  const body = { username: 'asha', personalEmail: 'asha@home.test', duration: 2 }
  expect((await requestAsSuperadmin('POST', '/sandbox/user', body)).status).toBe(200)
  const { rows } = await sql<{ email: string }>`select email from azure_user`.execute(env.db)
  await waitForMail('asha@home.test', (all) => all.length === 1)
  expect((await forgot(rows[0]!.email)).status).toBe(200)
  const mails = await waitForMail('asha@home.test', (all) => all.length === 2)
  expect(mails[1]!.text).toContain(rows[0]!.email)
})

test.each([[undefined], [''], ['no address'], [7], ['a@b.test\u0000']])(
  'rejects the e-mail %j, naming the field',
  async (email) => {
    const reply = await send('/user/forgot', { email })
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { message: string }).message).toMatch(/email|characters/)
  },
)

test('accepts ten requests a minute per e-mail address, from any IP address and whether or not the user exists', async () => {
  for (const email of [await addSuperadmin(), 'unknown@portal.test']) {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        send('/user/forgot', { email }, { 'x-forwarded-for': `10.2.${userCount}.${i}` }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  }
})
