import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
await portal.app.db
  .insertInto('portal_user')
  .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
  .execute()
const root = await portal.sessionOf('root@portal.test')

const send = async (method: string, path: string, body?: unknown, uid = root) => {
  const reply = await portal.request(method, path, { uid, body })
  return {
    status: reply.status,
    ...((await reply.json()) as { message: string; users: { email: string; status: string }[] }),
  }
}
const asha = { username: 'Asha', personalEmail: 'Asha@Home.test', duration: 3 }
const email = 'asha@aws.labs.test'

test('one of ten concurrent requests for the same name succeeds, and the others get a conflict', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/aws/user', asha)))
  expect(replies.filter(({ status }) => status === 200).map(({ message }) => message)).toEqual([
    'User created successfully!',
  ])
  expect(
    new Set(replies.filter(({ status }) => status !== 200).map(({ status, message }) => `${status} ${message}`)),
  ).toEqual(new Set([`409 There is already a user ${email}.`]))
  const { users } = await send('GET', '/aws/user')
  expect(users).toMatchObject([{ email, userId: 'asha', duration: 3, status: 'Creating', statusReason: null }])
})

test('the sign-in appears once the user exists at AWS, and only to its own user', async () => {
  const own = await portal.sessionOf(email)
  expect(await send('GET', '/sandbox/aws', undefined, own)).toMatchObject({
    email,
    consoleUrl: null,
    status: 'Creating',
  })
  expect(await send('POST', '/sandbox/aws/signin', undefined, own)).toMatchObject({ status: 409 })
  await sql`update aws_user set ready_at = portal_now(), aws_account = '100000000001'`.execute(portal.owner)
  expect(await send('GET', '/sandbox/aws', undefined, own)).toMatchObject({
    consoleUrl: 'http://127.0.0.1:4010/aws/signin?account=100000000001',
    status: 'Ready',
  })
  const shown = await send('POST', '/sandbox/aws/signin', undefined, own)
  expect(shown).toMatchObject({ status: 200, username: 'asha', password: expect.stringMatching(/^\S{18}$/) })
  const audited = await portal.app.db.selectFrom('audit').selectAll().where('call', '=', 'awsSandbox.signIn').execute()
  expect(audited.map(({ actor_email, detail }) => [actor_email, detail])).toEqual([[email, { query: {}, body: null }]])
})

test('a deleted user is signed out immediately, and the name is free again once AWS has deleted everything', async () => {
  const own = await portal.sessionOf(email)
  expect(await send('DELETE', '/aws/user', { email })).toMatchObject({
    status: 200,
    message: `User ${email} deleted successfully!`,
  })
  expect((await portal.request('GET', '/sandbox/aws', { uid: own })).status).toBe(401)
  expect((await send('GET', '/aws/user')).users).toMatchObject([{ email, status: 'Ending' }])
  expect(await send('POST', '/aws/user', asha)).toMatchObject({
    status: 409,
    message: `The user ${email} is still being deleted. Please try again in a few minutes.`,
  })
  await sql`update aws_user set ended_at = portal_now(), first_password = null, reconcile_at = null`.execute(
    portal.owner,
  )
  expect((await send('GET', '/aws/user')).users).toEqual([])
  expect(await send('POST', '/aws/user', asha)).toMatchObject({ status: 200 })
  expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
})

test.each([
  [{ ...asha, username: 'no spaces' }, 'username must contain only letters, digits, dots, underscores and hyphens.'],
  [{ ...asha, duration: 1.5 }, 'duration must be a whole number of days.'],
  [{ ...asha, personalEmail: 'nobody' }, 'personalEmail must be an e-mail address such as name@example.com.'],
  [{ ...asha, more: 1 }, 'more is not a known field.'],
])('%o is rejected', async (body, message) => {
  expect(await send('POST', '/aws/user', body)).toMatchObject({ status: 400, message })
})
