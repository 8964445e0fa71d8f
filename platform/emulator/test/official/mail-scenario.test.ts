import { createTransport } from 'nodemailer'
import { afterAll, expect, test } from 'vitest'
import { printVersions } from './package-version.ts'
import type { Mail } from '../../mail/mailbox.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
const transport = createTransport({ host: '127.0.0.1', port: emulator.smtpPort, secure: false })
afterAll(() => transport.close())

const mailbox = async () => (await emulator.control('GET', '/_truth?part=mails')).body.mails as Mail[]

test('receives mail from nodemailer unchanged', async () => {
  printVersions('nodemailer')
  expect(await transport.verify()).toBe(true)
  const sent = await transport.sendMail({
    from: 'Trainyard <portal@trainyard.test>',
    to: ['Åsa Rao <asa@labs.test>', 'ben@labs.test'],
    bcc: 'log@trainyard.test',
    subject: 'Ihr Kurs „Züge“ – 3 मशीनें',
    text: `.\nA line that is a dot, and one that is long:\n${'x'.repeat(2_000)}`,
    html: '<p>Grüße &amp; more</p>',
  })
  expect([sent.accepted?.length, sent.rejected]).toEqual([3, []])
  expect(sent.response).toMatch(/^250 /)
  const [mail, ...otherMails] = await mailbox()
  expect(otherMails).toEqual([])
  expect(mail).toMatchObject({
    from: 'portal@trainyard.test',
    to: ['asa@labs.test', 'ben@labs.test', 'log@trainyard.test'],
    subject: 'Ihr Kurs „Züge“ – 3 मशीनें',
    messageId: sent.messageId,
  })
  expect(mail?.text.trimEnd()).toBe(`.\nA line that is a dot, and one that is long:\n${'x'.repeat(2_000)}`)
  expect(mail?.html.trimEnd()).toBe('<p>Grüße &amp; more</p>')
})

const sendTo = (...recipients: string[]) =>
  transport.sendMail({ envelope: { from: 'portal@trainyard.test', to: recipients }, subject: 'Hello', text: 'Hello' })

test.each(['nobody', '@labs.test', `${'x'.repeat(65)}@labs.test`, `asa@${'y'.repeat(64)}.test`, 'asa@-labs.test'])(
  'refuses the recipient %s permanently',
  async (recipient) => {
    await expect(sendTo(recipient)).rejects.toMatchObject({ responseCode: 501 })
  },
)

test('accepts addresses of maximum length and in other scripts', async () => {
  const recipients = [`${'x'.repeat(64)}@labs.test`, `asa@${'y'.repeat(63)}.test`, 'åsa@bücher.test']
  expect((await sendTo(...recipients)).accepted).toHaveLength(3)
})

test('accepts 100 recipients and refuses the others temporarily', async () => {
  const sent = await sendTo(...Array.from({ length: 101 }, (_, number) => `user${number}@labs.test`))
  expect([sent.accepted?.length, sent.rejected]).toEqual([100, ['user100@labs.test']])
  expect(sent.rejectedErrors?.[0]).toMatchObject({ responseCode: 452 })
})
