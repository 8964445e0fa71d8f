import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { smtpMail } from './smtp-mail.ts'
import { sharedEmulator } from '../../test/shared.ts'

const from = 'Trainyard <portal@trainyard.test>'
const emulator = await sharedEmulator()

function email(more: Readonly<Record<string, string>> = {}) {
  return {
    key: 'invitation:42/1',
    to: 'learner@acme.test',
    subject: 'Ihr Zugang ☃',
    text: 'Guten Tag\n',
    html: '<p>Guten Tag</p>',
    ...more,
  }
}

async function mails() {
  const response = await fetch(`${emulator.url}/_truth?part=mails`)
  const { mails } = (await response.json()) as {
    mails: {
      from: string
      to: string[]
      subject: string
      text: string
      html: string
      messageId: string
      headers: object
    }[]
  }
  return mails
}

test('delivers an email unchanged and gives a repeat the same Message-ID', async () => {
  const mail = smtpMail({ url: `smtp://127.0.0.1:${emulator.smtpPort}`, from })
  await mail.send(email())
  await mail.send(email())
  const arrived = await mails()
  expect(arrived).toHaveLength(2)
  expect(arrived[0]).toMatchObject({
    from: 'portal@trainyard.test',
    to: ['learner@acme.test'],
    subject: 'Ihr Zugang ☃',
    html: expect.stringContaining('<p>Guten Tag</p>'),
    messageId: '<invitation_3a42_2f1@trainyard.test>',
    headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
  })
  expect(arrived[0]?.text.trim()).toBe('Guten Tag')
  expect(arrived[1]?.messageId).toBe(arrived[0]?.messageId)
})

test('adds no header and no recipient from a subject with a line break', async () => {
  const mail = smtpMail({ url: `smtp://127.0.0.1:${emulator.smtpPort}`, from })
  const before = (await mails()).length
  await mail.send(email({ subject: 'Hello\r\nBcc: other@acme.test' }))
  const arrived = (await mails()).slice(before)
  expect(arrived.map(({ to }) => to)).toEqual([['learner@acme.test']])
})

test('does not deliver to a second recipient hidden in an address', async () => {
  const mail = smtpMail({ url: `smtp://127.0.0.1:${emulator.smtpPort}`, from })
  const before = (await mails()).length
  await mail.send(email({ to: 'learner@acme.test, other@acme.test' })).catch(() => {})
  const recipients = (await mails()).slice(before).flatMap(({ to }) => to)
  expect(recipients).not.toContain('other@acme.test')
})

test('times out if the mail server does not respond', async () => {
  const silentServer = createServer()
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
  const { port } = silentServer.address() as AddressInfo
  const mail = smtpMail({ url: `smtp://127.0.0.1:${port}`, from, timeout: 200 })
  await expect(mail.send(email())).rejects.toThrow(/greeting|time/i)
  silentServer.close()
})

test('rejects a sender without an address', () => {
  expect(() => smtpMail({ url: 'smtp://127.0.0.1:1', from: 'Trainyard' })).toThrow(/must end with an address/)
})

test('does not send an email to another machine without TLS', async () => {
  const before = (await mails()).length
  // The emulator offers no TLS, and this address does not count as loopback.
  const mail = smtpMail({ url: `smtp://0.0.0.0:${emulator.smtpPort}`, from })
  await expect(mail.send(email())).rejects.toThrow(/TLS/i)
  expect(await mails()).toHaveLength(before)
})
