/** @module-tag full */
import { sql } from 'kysely'
import { grantAppAccess } from '@trainyard/platform/server/db/app-access.ts'
import { appLoginOf } from '@trainyard/platform/server/db/roles.ts'
import { revokeWrites } from '@trainyard/platform/server/db/upgrade.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { REMOTE_MESSAGES, SHELL_KEPT_MINUTES, TERMINALS_PER_MACHINE } from '../contract/remote-words.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openMessage, openPage, type TestPage } from '../test/terminal-page.ts'
import { sharedTerminals } from '../test/terminals.ts'
import { watchingOn } from '../test/watching.ts'

const LEARNER = 'one@acme.test'
const ADMIN = 'admin@acme.test'
const at = await sharedTerminals()
const by = watchingOn(at)

afterEach(async () => {
  for (const page of at.pages.splice(0)) page.close()
  await sql`update remote_session set closed_at = portal_now(), ended = 'end of the test' where closed_at is null`.execute(
    at.env.db,
  )
  await until('no terminal is open', at.rows, ({ open }) => open === 0)
})

const terminalOf = async (page: TestPage) => (await page.firstMessage('opened')).terminal

/** Opens a page that asks for the terminal of an earlier page. */
async function resume(
  machine: string,
  terminal: string,
  {
    email = LEARNER,
    received = 0,
    url = at.url,
    ticket,
  }: { email?: string; received?: number; url?: string; ticket?: string } = {},
): Promise<TestPage> {
  const page = await openPage({ url, token: at.tokens.get(email)! })
  at.pages.push(page)
  page.send({
    ...openMessage(machine, ticket ?? (await at.ticketFor(email, machine))),
    resume: { terminal, received },
  } as ReturnType<typeof openMessage>)
  return page
}

/** Opens a terminal in a new folder, and loses its connection. */
async function lost(email = LEARNER) {
  const { page, machine } = await at.terminal(email, LEARNER)
  const terminal = await terminalOf(page)
  page.type('mkdir -p deep/folder && cd deep/folder; echo is $USER here\r')
  await at.prints(page, 'is learner here')
  page.cut()
  await page.closed
  return { page, machine, terminal }
}

const endOf = async (terminal: string) => {
  const { rows } = await sql<{ ended: string | null }>`select ended from remote_session where id = ${terminal}`.execute(
    at.env.db,
  )
  return rows[0]!.ended
}

test('continues the same shell after a lost connection, with the output that the page has missed', async () => {
  const { page, machine, terminal } = await lost()
  const again = await resume(machine.name, terminal, { received: page.received() })
  expect(await terminalOf(again)).toBe(terminal)
  again.type('pwd\r')
  await at.prints(again, 'deep/folder\r\n')
  expect(again.printed()).not.toContain('is learner here')
  again.cut()
  await again.closed
  // Another page, such as after a crash of the browser, gets the last output from the beginning.
  const third = await resume(machine.name, terminal)
  await at.prints(third, 'is learner here')
  const { rows } = await sql<{ call: string }>`select call from audit
    where detail ->> 'terminal' = ${terminal} order by id`.execute(at.env.db)
  expect(rows.map(({ call }) => call)).toEqual(['remote.open', 'remote.resume', 'remote.resume'])
})

test('takes over from a page that has not noticed yet that its connection is lost', async () => {
  const { page, machine } = await at.terminal()
  const terminal = await terminalOf(page)
  const again = await resume(machine.name, terminal, { received: page.received() })
  expect(await terminalOf(again)).toBe(terminal)
  expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.openedElsewhere)
  await page.closed
  again.type('echo still $USER\r')
  await at.prints(again, 'still learner')
  // A page that breaks the protocol has not lost its connection.
  again.type(Buffer.alloc(70_000, 'x'))
  await again.closed
  const ended = await until(
    'it is closed',
    () => endOf(terminal),
    (sentence) => sentence !== null,
  )
  expect(ended).toBe(REMOTE_MESSAGES.invalidMessage)
})

test('ends with a page that is closed', async () => {
  const { page } = await at.terminal()
  const terminal = await terminalOf(page)
  page.close()
  const ended = await until(
    'it is closed',
    () => endOf(terminal),
    (sentence) => sentence !== null,
  )
  expect(ended).toBe(REMOTE_MESSAGES.pageClosed)
})

test('ends a kept shell within 5 s after the right to it has ended', async () => {
  const { token } = await at.env.credentials(LEARNER)
  at.tokens.set(LEARNER, token)
  const { terminal } = await lost()
  expect(await endOf(terminal)).toBeNull()
  await fetch(`${at.url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const loggedOutAt = performance.now()
  await until(
    'it is closed',
    () => endOf(terminal),
    (ended) => ended === REMOTE_MESSAGES.signedOut,
  )
  expect(performance.now() - loggedOutAt).toBeLessThan(5_000)
  at.tokens.set(LEARNER, (await at.env.credentials(LEARNER)).token)
})

test('ends a kept shell whose page does not return, after its time', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    const { terminal } = await lost()
    const expiry = await until(
      'it is kept',
      async () => timers.mock.calls.find(([, ms]) => ms === SHELL_KEPT_MINUTES * 60_000)?.[0],
      (callback) => callback !== undefined,
    )
    expect(await endOf(terminal)).toBeNull()
    expiry!()
    const ended = await until(
      'it is closed',
      () => endOf(terminal),
      (sentence) => sentence !== null,
    )
    expect(ended).toBe(REMOTE_MESSAGES.pageLost)
  } finally {
    timers.mockRestore()
  }
})

test('is not given to another user, or to another session of the same user', async () => {
  const { machine, terminal } = await lost()
  const admin = await resume(machine.name, terminal, { email: ADMIN })
  expect(await terminalOf(admin)).not.toBe(terminal)
  const first = at.tokens.get(LEARNER)!
  at.tokens.set(LEARNER, (await at.env.credentials(LEARNER)).token)
  const otherSession = await resume(machine.name, terminal)
  expect(await terminalOf(otherSession)).not.toBe(terminal)
  at.tokens.set(LEARNER, first)
  // A ticket is needed as for a new terminal, and the ticket of another user is refused.
  const stolen = await resume(machine.name, terminal, { ticket: await at.ticketFor(ADMIN, machine.name) })
  expect((await stolen.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.ticketRefused)
  expect(await terminalOf(await resume(machine.name, terminal))).toBe(terminal)
})

test('counts as an open terminal of its machine', async () => {
  const kept = []
  for (let i = 0; i < TERMINALS_PER_MACHINE; i += 1) kept.push(await lost())
  const [{ machine, terminal }] = kept as [Awaited<ReturnType<typeof lost>>]
  const ticket = await at.ticketFor(LEARNER, machine.name)
  expect(await at.refusal(LEARNER, machine.name, ticket)).toBe(REMOTE_MESSAGES.full(machine.name))
  expect(await terminalOf(await resume(machine.name, terminal))).toBe(terminal)
})

test('continues for watchers, who are shown to the page again', async () => {
  const { page, machine } = await at.terminal()
  const terminal = await terminalOf(page)
  const { watcher } = await by.allowed(page, ADMIN, machine.name)
  page.cut()
  await page.closed
  const again = await resume(machine.name, terminal, { received: page.received() })
  expect(await terminalOf(again)).toBe(terminal)
  await by.shown(again, 'the watcher is shown', ([one]) => one?.email === ADMIN && one.sees)
  again.type('echo watched $USER\r')
  await by.prints(watcher, 'watched learner')
})

test('is reached through another process; without the process that held it, a new shell opens', async () => {
  const second = await startPortalOn(at.env.portal.settings['DATABASE_URL']!, {
    ...at.env.portal.settings,
    PORT: String(await freePort()),
  })
  const url = `${second.url}/api`
  try {
    const { machine, terminal } = await lost()
    const holder = (to: string) =>
      sql`update remote_session set held_at = ${to} where id = ${terminal}`.execute(at.env.db)
    await holder(new URL(at.url).origin)
    const again = await resume(machine.name, terminal, { url })
    expect(await terminalOf(again)).toBe(terminal)
    again.type('pwd\r')
    await at.prints(again, 'deep/folder\r\n')
    // The loss of a relayed page keeps the shell too.
    again.cut()
    await again.closed
    const third = await resume(machine.name, terminal, { url })
    expect(await terminalOf(third)).toBe(terminal)
    third.cut()
    await third.closed
    await holder(`http://127.0.0.1:${await freePort()}`)
    const fresh = await resume(machine.name, terminal, { url })
    expect(await terminalOf(fresh)).not.toBe(terminal)
    await at.prints(fresh, '$ ')
  } finally {
    await second.close()
  }
})

test('leaves no errors in the background', () => {
  expect(at.env.bugs).toEqual([])
})

// After the check for errors, because the worker of the test cannot write meanwhile.
test('a terminal that ends while an upgrade stops changes is no bug', async () => {
  const bugs: unknown[] = []
  const { settings } = at.env.portal
  const api = await startPortalOn(
    settings['DATABASE_URL']!,
    { ...settings, PORT: String(await freePort()) },
    {
      onBug: (bug) => bugs.push(bug),
    },
  )
  try {
    const { machine } = await at.terminal()
    const page = await openPage({ url: `${api.url}/api`, token: at.tokens.get(LEARNER)! })
    page.send(openMessage(machine.name, await at.ticketFor(LEARNER, machine.name)))
    await terminalOf(page)
    await at.env.db.transaction().execute(revokeWrites)
    page.close()
    await page.closed
    await api.close()
    expect(bugs).toEqual([])
  } finally {
    await grantAppAccess(at.env.db, appLoginOf(settings['DATABASE_URL']!))
  }
})
