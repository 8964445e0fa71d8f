import { expect, test } from 'vitest'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'
import { emulatorCredential } from '@trainyard/azure/server/credentials.ts'
import { MailRejectedError } from '@trainyard/platform/server/mail/mail.ts'
import { smtpMail } from '@trainyard/platform/server/mail/smtp-mail.ts'
import { graphMail } from './mail.ts'

const emulator = await sharedEmulator()
const from = 'Trainyard <trainyard@localhost.test>'
const email = {
  key: 'invitation:42/1',
  to: 'learner@acme.test',
  subject: 'Ihr Zugang ☃',
  text: 'Guten Tag\n',
  html: '<p>Guten Tag</p>',
}
const credential = emulatorCredential()
const graph = (sender = from) => graphMail({ credential, emulatorUrl: emulator.url, from: sender })

async function control(method: string, path: string, body?: object): Promise<void> {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  expect((await fetch(`${emulator.url}${path}`, { method, ...init })).ok).toBe(true)
}

async function mails(): Promise<Record<string, unknown>[]> {
  const reply = await fetch(`${emulator.url}/_truth?part=mails`)
  return ((await reply.json()) as { mails: Record<string, unknown>[] }).mails
}

test('sends an e-mail from the mailbox with its Message-ID and attachment', async () => {
  const attachments = [{ name: 'invoice.pdf', type: 'application/pdf', content: Buffer.from('%PDF') }]
  await graph().send({ ...email, attachments })
  expect((await mails()).at(-1)).toMatchObject({
    from: 'trainyard@localhost.test',
    to: ['learner@acme.test'],
    subject: 'Ihr Zugang ☃',
    html: expect.stringContaining('<p>Guten Tag</p>'),
    messageId: '<invitation_3a42_2f1@localhost.test>',
    headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
  })
})

test('does not deliver to a recipient hidden in an address or a subject', async () => {
  const before = (await mails()).length
  await graph()
    .send({ ...email, to: 'learner@acme.test, other@acme.test' })
    .catch(() => {})
  await graph().send({ ...email, subject: 'Hello\r\nBcc: other@acme.test' })
  const recipients = (await mails()).slice(before).flatMap(({ to }) => to as string[])
  expect(recipients).not.toContain('other@acme.test')
})

test('states why an e-mail cannot be sent: missing permission, unknown mailbox, throttling', async () => {
  await expect(graph('Trainyard <other@localhost.test>').send(email)).rejects.toThrow(
    /other@localhost.test.*ErrorInvalidUser/,
  )
  await control('POST', '/_faults', { kind: 'throttle', operation: 'users.user.sendMail', times: 1, retryAfter: 5 })
  await expect(graph().send(email)).rejects.toMatchObject({
    name: 'MailSendError',
    message: expect.stringMatching(/thrott/i),
  })
  await control('POST', '/_tenant', { permissions: ['User.ReadWrite.All'] })
  await expect(graph().send(email)).rejects.toThrow(/Authorization_RequestDenied/)
  await control('POST', '/_tenant', {})
  await expect(graph().send({ ...email, to: 'nobody' })).rejects.toBeInstanceOf(MailRejectedError)
})

test('SMTP with an access token accepts tokens of Exchange Online for a mailbox only', async () => {
  const url = `smtp://127.0.0.1:${emulator.smtpPort}`
  const tokenFor = (scope: string) => async () => (await credential.getToken(scope))!.token
  const send = (mailbox: string, scope: string) =>
    smtpMail({ url, from, accessToken: { mailbox, get: tokenFor(scope) } }).send(email)
  const before = (await mails()).length
  await send('trainyard@localhost.test', 'https://outlook.office365.com/.default')
  expect(await mails()).toHaveLength(before + 1)
  await expect(send('trainyard@localhost.test', 'https://graph.microsoft.com/.default')).rejects.toThrow(/535/)
  await expect(send('other@localhost.test', 'https://outlook.office365.com/.default')).rejects.toThrow(/535/)
  const refused = {
    mailbox: 'trainyard@localhost.test',
    get: async () => Promise.reject(new Error('The client secret has expired.')),
  }
  await expect(smtpMail({ url, from, accessToken: refused }).send(email)).rejects.toThrow('has expired')
  expect(await mails()).toHaveLength(before + 1)
})
