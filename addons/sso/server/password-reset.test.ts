import { expect, test } from 'vitest'
import { setUpProvider } from '../test/identity-providers.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'

const PASSWORD = 'a good long password'
const env = await sharedEnvironment()
await env.worker()

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
const send = (path: string, body: object) => env.portal.request('POST', path, { body })
const forgot = (email: string) => send('/user/forgot', { email })
const setPassword = (token: string) => send('/user/password', { token, password: 'quite another one' })

/** Requests a reset link and returns the token of the mailed link. */
async function requestResetToken(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(200)
  const mails = await waitForMail(email, (all) => all.length > 0)
  return /#token=(\S+)/.exec(mails.at(-1)!.text)![1]!
}

test('e-mails a link to the identity provider to users of an organisation without passwords, and rejects older reset links', async () => {
  const organisation = await env.organisation('Without Passwords')
  const email = 'pupil@school.test'
  const password_hash = await hashPassword(PASSWORD)
  await env.db
    .insertInto('portal_user')
    .values({ email, role: 'user', organisation_id: organisation, password_hash })
    .execute()
  const token = await requestResetToken(email)
  await setUpProvider(env.db, env.portal, organisation, { domain: 'school.test', worked: true })
  await env.db.updateTable('organisation').set({ passwords_allowed: false }).where('id', '=', organisation).execute()
  expect((await setPassword(token)).status).toBe(409)
  await forgot(email)
  const mails = await waitForMail(email, (all) => all.length === 2)
  expect(mails[1]!.subject).toBe('Sign in with your organisation')
  expect(mails[1]!.text).not.toContain('#token=')
})

test('sends a reset link to a superadmin of an organisation without passwords', async () => {
  const organisation = await env.organisation('Without Passwords Too')
  const email = 'forgetful@portal.test'
  const password_hash = await hashPassword(PASSWORD)
  await env.db
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash })
    .execute()
  await setUpProvider(env.db, env.portal, organisation, { domain: 'superior.test', worked: true })
  await env.db.updateTable('organisation').set({ passwords_allowed: false }).where('id', '=', organisation).execute()
  await env.db.updateTable('portal_user').set({ organisation_id: organisation }).where('email', '=', email).execute()
  expect((await setPassword(await requestResetToken(email))).status).toBe(200)
})
