import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sayVersions } from '#src/official/package-version.ts'
import { startFarEnd, type FarEnd } from '#src/testing/far-end.ts'
import type { Mail } from '#src/mail/mailbox.ts'

let farEnd: FarEnd
beforeAll(async () => {
  farEnd = await startFarEnd()
})
afterAll(() => farEnd.stop())

const mailbox = async () => (await farEnd.control('GET', '/_truth?part=mails')).body.mails as Mail[]

test('nodemailer sends what is read in the mailbox, as it was written', async () => {
  sayVersions('nodemailer')
  const transport = createTransport({ host: '127.0.0.1', port: farEnd.smtpPort, secure: false })
  try {
    expect(await transport.verify()).toBe(true)
    const sent = await transport.sendMail({
      from: 'Trainyard <portal@trainyard.test>',
      to: ['Åsa Rao <asa@labs.test>', 'ben@labs.test'],
      bcc: 'log@trainyard.test',
      subject: 'Ihr Kurs „Züge“ – 3 मशीनें',
      text: '.\nA line that is a dot, and one that is long:\n' + 'x'.repeat(2_000),
      html: '<p>Grüße &amp; more</p>',
    })
    expect([sent.accepted.length, sent.rejected]).toEqual([3, []])
    expect(sent.response).toMatch(/^250 /)
    const [mail, ...more] = await mailbox()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      from: 'portal@trainyard.test',
      to: ['asa@labs.test', 'ben@labs.test', 'log@trainyard.test'],
      subject: 'Ihr Kurs „Züge“ – 3 मशीनें',
      messageId: sent.messageId,
    })
    expect(mail?.text.trimEnd()).toBe('.\nA line that is a dot, and one that is long:\n' + 'x'.repeat(2_000))
    expect(mail?.html.trimEnd()).toBe('<p>Grüße &amp; more</p>')
  } finally {
    transport.close()
  }
})
