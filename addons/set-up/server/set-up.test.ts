import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { answerTry } from './tries.ts'

const PASSWORD = 'mail-secret-77'

/** A mail server that accepts e-mails, repeats the login that it received, or says nothing. */
let behaviour: 'accepts' | 'repeats the login' | 'is silent' = 'accepts'
let received = 0
/** Before it resolves, the mail server does not greet. */
let mayGreet = Promise.resolve()
const mailServer = createServer((socket) => {
  socket.on('error', () => {})
  if (behaviour === 'is silent') return
  let isContent = false
  void mayGreet.then(() => socket.write('220 mail.test ready\r\n'))
  socket.on('data', (chunk) => {
    const line = chunk.toString().trim()
    if (isContent) {
      if (!/(?:^|\n)\.$/.test(line)) return
      isContent = false
      received += 1
      socket.write('250 2.0.0 Ok: queued as 4F2A\r\n')
    } else if (line.startsWith('EHLO')) socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n')
    else if (line.startsWith('AUTH') && behaviour === 'repeats the login')
      socket.write(`535-5.7.8 ${line} ${PASSWORD}\r\n535 \u001b[31mhttps://evil.test/?token=1\u202e <b>no</b>\r\n`)
    else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n')
    else if (line === 'DATA') {
      isContent = true
      socket.write('354 go on\r\n')
    } else socket.write('250 Ok\r\n')
  })
})
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
afterAll(() => void mailServer.close())
const { port } = mailServer.address() as AddressInfo

const env = await sharedEnvironment({ settings: { SMTP_URL: `smtp://portal:${PASSWORD}@127.0.0.1:${port}` } })
const superadmin = await env.signIn('superadmin', 'root@labs.test', null)
await env.worker()

beforeEach(async () => {
  behaviour = 'accepts'
  received = 0
  await env.db.deleteFrom('set_up_try').execute()
})

const read = async () => (await superadmin('GET', '/admin/set-up')).body
const answerOf = async (what: 'connections' | 'mail') => {
  const answered = await until(`the try of ${what} is answered`, read, (now) => now[what].state === 'answered')
  return answered[what].answer
}

test('sends one e-mail to the caller and shows what the mail server replied, also if asked several times at once', async () => {
  expect(await read()).toEqual({ connections: null, mail: null })
  const greeting = Promise.withResolvers<void>()
  mayGreet = greeting.promise
  const replies = await Promise.all(Array.from({ length: 5 }, () => superadmin('POST', '/admin/set-up/mail')))
  expect(replies.map(({ status, body }) => `${status} ${body.message}`).toSorted()).toEqual([
    '200 A test e-mail to root@labs.test is being sent.',
    ...Array.from({ length: 4 }, () => '200 A try is running already. Its answer appears here.'),
  ])
  greeting.resolve()
  expect(await answerOf('mail')).toEqual({
    accepted: true,
    sentence: 'The mail server accepted the e-mail to root@labs.test: 250 2.0.0 Ok: queued as 4F2A',
  })
  expect(received).toBe(1)
  const rows = await env.db.selectFrom('audit').selectAll().where('call', '=', 'setUp.tryMail').execute()
  expect(rows.map(({ actor_email, refused }) => [actor_email, refused])).toContainEqual(['root@labs.test', null])
})

test('shows neither secrets nor links nor control characters of a mail server that repeats the login', async () => {
  behaviour = 'repeats the login'
  await superadmin('POST', '/admin/set-up/mail')
  await superadmin('POST', '/admin/set-up/connections')
  const { accepted, sentence } = await answerOf('mail')
  expect([accepted, sentence]).toEqual([false, expect.stringMatching(/^The e-mail was not sent: Invalid login: 535/)])
  const { checks } = await answerOf('connections')
  const smtp = checks.find(({ group }: { group: string }) => group === 'SMTP')
  expect(smtp).toMatchObject({ state: 'red', findings: [{ todo: expect.stringMatching(/SMTP_URL/) }] })
  for (const text of [sentence, JSON.stringify(smtp)]) {
    expect(text).not.toContain(PASSWORD)
    expect(text).not.toContain(Buffer.from(`\0portal\0${PASSWORD}`).toString('base64'))
    expect(text).not.toMatch(/\p{C}/u)
  }
  expect(sentence).not.toContain('evil.test')
})

test('checks every provider in the worker and says what is set and what is not', async () => {
  await superadmin('POST', '/admin/set-up/connections')
  const { checks } = await answerOf('connections')
  const groups: string[] = checks.map(({ group }: { group: string }) => group)
  expect([...new Set(groups)]).toEqual(expect.arrayContaining(['PUBLIC_URL', 'Emulator', 'Azure', 'LXD', 'SMTP']))
  expect(groups).not.toContain('Database')
  expect(checks).toContainEqual({
    group: 'LXD',
    name: 'trust',
    state: 'not used',
    findings: [{ what: 'LXD_SOCKET and LXD_URL are not set: LXD is no provider of machines.', todo: null }],
  })
  expect(env.bugs).toEqual([])
})

test('ignores the late answer of an earlier try, and gives a try up that no worker answers', async () => {
  await env.db.insertInto('set_up_try').values({ what: 'mail', attempt: 2 }).execute()
  await answerTry(env.db, 'mail', 1, { accepted: true, sentence: 'Late.' })
  expect((await read()).mail).toMatchObject({ state: 'running', answer: null })
  await sql`update set_up_try set tried_at = portal_now() - interval '181 seconds'`.execute(env.db)
  expect((await read()).mail).toMatchObject({ state: 'unanswered', answer: null })
  await superadmin('POST', '/admin/set-up/mail')
  expect(await answerOf('mail')).toMatchObject({ accepted: true })
})

test('refuses others than superadmins, and superadmins without a fresh confirmation', async () => {
  const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
  for (const [method, path] of [
    ['GET', '/admin/set-up'],
    ['POST', '/admin/set-up/mail'],
    ['POST', '/admin/set-up/connections'],
  ] as const) {
    expect((await admin(method, path)).status).toBe(403)
    expect((await env.portal.request(method, path)).status).toBe(401)
  }
  const uid = await env.portal.sessionOf('root@labs.test')
  await sql`update session set confirmed_at = null where confirmed_at < portal_now() + interval '1 day'`.execute(env.db)
  const reply = await env.portal.request('POST', '/admin/set-up/mail', { uid })
  expect([reply.status, await reply.json()]).toEqual([403, expect.objectContaining({ code: 'confirmFirst' })])
  expect(await read()).toEqual({ connections: null, mail: null })
  expect(received).toBe(0)
})

test('ends the try of a mail server that never answers', { tags: ['full'], timeout: 60_000 }, async () => {
  behaviour = 'is silent'
  await superadmin('POST', '/admin/set-up/mail')
  expect(await answerOf('mail')).toMatchObject({
    accepted: false,
    sentence: 'The mail server gave no answer. Check host and port in SMTP_URL, and the firewall.',
  })
})
