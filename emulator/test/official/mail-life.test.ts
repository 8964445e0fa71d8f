import { createTransport } from 'nodemailer'
import { afterAll, expect, test } from 'vitest'
import { sayVersions } from '#test/official/package-version.ts'
import type { Mail } from '#src/mail/mailbox.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd()
const transport = createTransport({ host: '127.0.0.1', port: farEnd.smtpPort, secure: false })
afterAll(() => transport.close())

const mailbox = async () => (await farEnd.control('GET', '/_truth?part=mails')).body.mails as Mail[]

test('nodemailer sends what is read in the mailbox, as it was written', async () => {
  sayVersions('nodemailer')
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
  const [mail, ...more] = await mailbox()
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    from: 'portal@trainyard.test',
    to: ['asa@labs.test', 'ben@labs.test', 'log@trainyard.test'],
    subject: 'Ihr Kurs „Züge“ – 3 मशीनें',
    messageId: sent.messageId,
  })
  expect(mail?.text.trimEnd()).toBe(`.\nA line that is a dot, and one that is long:\n${'x'.repeat(2_000)}`)
  expect(mail?.html.trimEnd()).toBe('<p>Grüße &amp; more</p>')
})

const to = (...recipients: string[]) =>
  transport.sendMail({ envelope: { from: 'portal@trainyard.test', to: recipients }, subject: 'Hello', text: 'Hello' })

test.each(['nobody', '@labs.test', `${'x'.repeat(65)}@labs.test`, `asa@${'y'.repeat(64)}.test`, 'asa@-labs.test'])(
  'the recipient %s is refused for ever',
  async (recipient) => {
    await expect(to(recipient)).rejects.toMatchObject({ responseCode: 501 })
  },
)

test('addresses at the limits, and of other scripts, are taken', async () => {
  const recipients = [`${'x'.repeat(64)}@labs.test`, `asa@${'y'.repeat(63)}.test`, 'åsa@bücher.test']
  expect((await to(...recipients)).accepted).toHaveLength(3)
})

test('of too many recipients a hundred are taken, and the others refused for now', async () => {
  const sent = await to(...Array.from({ length: 101 }, (_, number) => `user${number}@labs.test`))
  expect([sent.accepted?.length, sent.rejected]).toEqual([100, ['user100@labs.test']])
  expect(sent.rejectedErrors?.[0]).toMatchObject({ responseCode: 452 })
})
