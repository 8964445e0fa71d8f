import { expect, test } from 'vitest'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { smtpMail } from '@trainyard/platform/server/mail/smtp-mail.ts'
import { inviteAzureUser } from './jobs.ts'
import { createAzureUser } from '@trainyard/sandbox-azure/server/azure/create-user.ts'
import { endAzureUsers } from '@trainyard/sandbox-azure/server/azure/wake.ts'
import { sharedEmulator, sharedPortal } from '@trainyard/platform/test/shared.ts'

type Invitation = Parameters<ReturnType<typeof inviteAzureUser>>[0]

const enqueued: Invitation[] = []
const jobs: JobQueue = {
  enqueue: async (_tx, _name, data) => void enqueued.push(...(data as unknown as readonly Invitation[])),
}

const portal = await sharedPortal()
const emulator = await sharedEmulator()
const mail = smtpMail({ url: `smtp://127.0.0.1:${emulator.smtpPort}`, from: 'portal@portal.test' })
const { db, seal } = portal.app
const send = inviteAzureUser({ db, mail, seal, publicUrl: 'https://portal.test' })
const invite = (invitation: Invitation) => send(invitation, AbortSignal.timeout(20_000))
const asked = { username: 'Asha.Rao', personalEmail: 'asha@home.test', duration: 5 }
await db.transaction().execute((tx) => createAzureUser(tx, asked, { seal, jobs, labDomain: 'labs.test' }))

async function emails() {
  const reply = await fetch(`${emulator.url}/_truth?part=mails`)
  return ((await reply.json()) as { mails: { to: string[]; text: string; html: string }[] }).mails
}

test('the mail goes to the personal address and contains the sign-in name but no password', async () => {
  await invite(enqueued[0]!)
  const [email] = await emails()
  expect(email?.to).toEqual(['asha@home.test'])
  expect(email?.text).toContain('You sign in as asha.rao@labs.test.')
  expect(email?.text).toContain('multifactor authentication: have a phone with an authenticator app ready')
  const { id, first_password } = await db.selectFrom('azure_user').selectAll().executeTakeFirstOrThrow()
  expect(email!.text + email!.html).not.toContain(seal.open(first_password!, id))
})

test('its link works once and opens the portal, which shows how to sign in at Azure', async () => {
  const [email] = await emails()
  const token = /https:\/\/portal\.test\/invitation#token=(\S+)/.exec(email!.text)![1]
  const set = () => portal.request('POST', '/user/password', { body: { token, password: 'Long enough 1' } })
  const reply = await set()
  expect(reply.status).toBe(200)
  const { uid } = (await reply.json()) as { uid: string }
  expect((await set()).status).toBe(404)
  expect((await portal.request('GET', '/sandbox/azure', { uid })).status).toBe(200)
  // The user does not exist in the directory yet, so there is no sign-in data.
  expect((await portal.request('POST', '/sandbox/azure/signin', { uid, body: {} })).status).toBe(409)
  await portal.app.db.updateTable('azure_user').set({ object_id: 'known' }).execute()
  const signIn = await portal.request('POST', '/sandbox/azure/signin', { uid, body: {} })
  expect(await signIn.json()).toMatchObject({ username: 'asha.rao@labs.test', password: expect.any(String) })
  const audit = await portal.owner.selectFrom('audit').select('call').execute()
  expect(audit.map(({ call }) => call)).toContain('azureSandbox.signIn')
})

test('no user is invited twice or after the end of the lab', async () => {
  await invite(enqueued[0]!)
  const { id } = await db.selectFrom('azure_user').select('id').executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => endAzureUsers(tx, [id]))
  await invite(enqueued[0]!)
  expect(await emails()).toHaveLength(1)
})
