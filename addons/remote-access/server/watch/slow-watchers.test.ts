import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { OPEN_SOCKETS_PER_USER } from '@trainyard/platform/contract/words/limits.ts'
import { REMOTE_MESSAGES } from '../../contract/remote-words.ts'
import { WATCHERS_PER_TERMINAL, WATCHING } from '../../contract/watching.ts'
import type { TestPage } from '../../test/terminal-page.ts'
import { openWatcher } from '../../test/terminal-page.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sharedTerminals } from '../../test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { watchingOn } from '../../test/watching.ts'

const at = await sharedTerminals()
const by = watchingOn(at)
const LEARNER = 'one@acme.test'
const ADMIN = 'admin@acme.test'
/** Maximum echo time of a key in milliseconds, far longer than needed and far shorter than a timeout. */
const ECHO_MS = 1_000

async function slowestEcho(page: TestPage): Promise<number> {
  let slowest = 0
  for (let i = 0; i < 20; i += 1) {
    const before = page.received()
    const began = performance.now()
    page.type('x')
    await until(
      'it is echoed',
      async () => page.received(),
      (received) => received > before,
    )
    slowest = Math.max(slowest, performance.now() - began)
  }
  page.type('\x03')
  return slowest
}

test(
  'a watcher who does not read delays no other user, and sees the current screen after resuming',
  { tags: ['storm'] },
  async () => {
    const { page, machine } = await at.terminal()
    const { watcher } = await by.allowed(page, ADMIN, machine.name)
    const echoAlone = await slowestEcho(page)
    watcher.stopReading()
    watcher.acknowledges = false
    page.type('seq 20000 > flood\r')
    for (let i = 0; i < 8; i += 1) page.type('cat flood flood\r')
    page.type('echo the flood is over | cat\r')
    await at.prints(page, '| cat\r\nthe flood is over')
    const echoWithWatcher = await slowestEcho(page)
    expect(echoWithWatcher, `alone it took ${echoAlone} ms`).toBeLessThan(ECHO_MS)
    const receivedBefore = watcher.received()
    page.type('clear; echo as it is $USER\r')
    await at.prints(page, 'as it is learner')
    watcher.resumeReading()
    watcher.acknowledges = true
    watcher.send({ kind: 'shown', bytes: 1_000_000 })
    await by.prints(watcher, 'as it is learner')
    // The portal does not send the skipped output, but only what was in transit and one screen.
    expect(watcher.received() - receivedBefore).toBeLessThan(700_000)
    expect(watcher.printed()).not.toContain('19998\r\n19999')
  },
)

test('allows ten watchers per terminal, each only once', { tags: ['storm'] }, async () => {
  const { page, machine } = await at.terminal()
  const admins = Array.from({ length: WATCHERS_PER_TERMINAL + 1 }, (_, i) => `instructor${i}@acme.test`)
  for (const email of admins) {
    await at.env.signIn('admin', email, at.acme)
    at.tokens.set(email, (await at.env.credentials(email)).token)
  }
  const watchers = await Promise.all(admins.slice(0, -1).map((email) => by.watch(email, machine.name)))
  await Promise.all(watchers.map((watcher) => watcher.firstMessage('asking')))
  const last = await by.watch(admins.at(-1)!, machine.name)
  expect((await last.firstMessage('ended')).sentence).toBe(WATCHING.full)
  const duplicate = await by.watch(admins[0]!, machine.name)
  expect((await duplicate.firstMessage('ended')).sentence).toBe(WATCHING.already)
  watchers[0]!.close()
  await by.shown(page, 'one left', (all) => all.length === WATCHERS_PER_TERMINAL - 1)
  await (await by.watch(admins.at(-1)!, machine.name)).firstMessage('asking')
})

test(
  'limits the sockets of a user who tries a thousand times, without affecting the learner',
  { tags: ['storm'] },
  async () => {
    const { page } = await at.terminal()
    await at.env.signIn('admin', 'many@acme.test', at.acme)
    const { token } = await at.env.credentials('many@acme.test')
    const opened = await Promise.allSettled(Array.from({ length: 1_000 }, () => openWatcher({ url: at.url, token })))
    const pages = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const refused = opened.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(new Set(refused)).toEqual(new Set(['Error: 429']))
    // Silent pages are closed after ten seconds. This makes room for other pages.
    expect(pages.length).toBeGreaterThanOrEqual(OPEN_SOCKETS_PER_USER)
    expect(refused.length).toBeGreaterThan(800)
    expect(await slowestEcho(page)).toBeLessThan(ECHO_MS)
    for (const each of pages) each.close()
    await Promise.all(pages.map((each) => each.closed))
  },
)

test('accepts a watch ticket only for its session and machine, and issues none to other users', async () => {
  const { page, machine } = await at.terminal()
  const absent = await by.watchTicket('admin@globex.test', 'nobody-1').catch(String)
  expect(await by.watchTicket('admin@globex.test', machine.name).catch(String)).toBe(absent)
  expect(absent).toContain('404')
  await expect(by.watchTicket(LEARNER, machine.name)).rejects.toThrow('403')
  const other = await at.machineOf('two@acme.test')
  await expect(by.watchTicket(ADMIN, other.name)).rejects.toThrow(WATCHING.notConnected('two@acme.test'))
  const refused = async (email: string, ticket: string) =>
    (await (await by.pageWith(email, machine.name, ticket)).firstMessage('ended')).sentence
  // Tickets for opening cannot be used for watching, nor tickets for watching for opening.
  expect(await refused(ADMIN, await at.ticketFor(ADMIN, machine.name))).toBe(REMOTE_MESSAGES.ticketRefused)
  const toWatch = await by.watchTicket(ADMIN, machine.name)
  expect(await at.refusal(ADMIN, machine.name, toWatch)).toBe(REMOTE_MESSAGES.ticketRefused)
  expect(await refused('admin@globex.test', toWatch)).toBe(REMOTE_MESSAGES.ticketRefused)
  expect(await refused(LEARNER, toWatch)).toBe(REMOTE_MESSAGES.ticketRefused)
  expect(page.lastMessage('watchers')).toBeUndefined()
  const watcher = await by.pageWith(ADMIN, machine.name, toWatch)
  await watcher.firstMessage('asking')
  expect(await refused(ADMIN, toWatch)).toBe(REMOTE_MESSAGES.ticketRefused)
  const { rows } = await sql<{ actor_email: string }>`select actor_email from audit
    where call = 'remote.watchBegin' and refused is not null`.execute(at.env.db)
  expect(rows.map(({ actor_email: email }) => email)).toContain('admin@globex.test')
})

test('a user who is no longer an admin cannot use an earlier watch ticket', async () => {
  const { machine } = await at.terminal()
  const become = (role: string) =>
    sql`update portal_user set role = ${role} where email = ${LEARNER}`.execute(at.env.db)
  let ticket: string
  try {
    await become('admin')
    ticket = await by.watchTicket(LEARNER, machine.name)
  } finally {
    await become('user')
  }
  const watcher = await by.pageWith(LEARNER, machine.name, ticket)
  expect(await watcher.firstMessage('ended')).toMatchObject({ sentence: 'There is no such machine.' })
})

test('relays a watcher to the process that holds the terminal, or reports it as unreachable', async () => {
  const second = await startPortalOn(at.env.portal.settings['DATABASE_URL']!, {
    ...at.env.portal.settings,
    PORT: String(await freePort()),
  })
  try {
    const { page, machine } = await at.terminal()
    const away = `${second.url}/api`
    const refused = await by.watch(ADMIN, machine.name, away)
    expect((await refused.firstMessage('ended')).sentence).toBe(WATCHING.processUnreachable)
    const heldAt = (url: string) =>
      sql`update remote_session set held_at = ${url} where closed_at is null`.execute(at.env.db)
    await heldAt(`http://127.0.0.1:${await freePort()}`)
    expect((await (await by.watch(ADMIN, machine.name, away)).firstMessage('ended')).sentence).toBe(
      WATCHING.processUnreachable,
    )
    await heldAt(new URL(at.url).origin)
    const otherAdminPage = await by.pageWith(
      'admin@globex.test',
      machine.name,
      await by.watchTicket(ADMIN, machine.name),
      away,
    )
    expect((await otherAdminPage.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.ticketRefused)
    const watcher = await by.watch(ADMIN, machine.name, away)
    await watcher.firstMessage('asking')
    const [asks] = await by.shown(page, 'they ask', (all) => all.length === 1)
    page.send({ kind: 'watcher', id: asks!.id, answer: 'allow' })
    page.type('echo far $USER\r')
    await by.prints(watcher, 'far learner')
    page.close()
    expect((await watcher.firstMessage('ended')).sentence).toBe(WATCHING.closed(LEARNER))
    await watcher.closed
  } finally {
    await second.close()
  }
})

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
