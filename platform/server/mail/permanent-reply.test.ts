import { expect, test } from 'vitest'
import { permanentReply } from './permanent-reply.ts'

const error = (command: string, response: string) =>
  Object.assign(new Error('failed'), { command, response, responseCode: Number(response.slice(0, 3)) })

test.each([
  ['RCPT TO', '550 5.1.1 No such user here', '550 5.1.1 No such user here'],
  ['DATA', '554 5.7.1 Rejected as spam', '554 5.7.1 Rejected as spam'],
  [
    'RCPT TO',
    '550-5.1.1 The account\n550 5.1.1 does\u202e not exist.',
    '550-5.1.1 The account 550 5.1.1 does not exist.',
  ],
  ['DATA', `554 Bad URL https://a.test/invitation#token=${'x'.repeat(60)} found`, '554 Bad URL (link) found'],
  ['DATA', `554 Bad text ${'3f2a-'.repeat(7)}3.${'x'.repeat(20)}`, '554 Bad text (removed)'],
  ['RCPT TO', '451 4.7.1 Greylisted', null],
  ['RCPT TO', '530 5.7.0 Authentication required', null],
  ['AUTH LOGIN', '535 5.7.8 Wrong password', null],
  ['MAIL FROM', '550 5.7.1 Sender denied', null],
  ['CONN', '554 No SMTP service here', null],
])('tells if the reply to %s is permanent: %s', (command, response, expected) => {
  expect(permanentReply(error(command, response))).toBe(expected)
})
