import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import { pinFirstKeys } from '../domain/remote/first-keys.ts'
import { sshShells } from '../providers/ssh/shells.ts'
import { machinesOf, order } from '../worker/test-orders.ts'
import { type Caller, startYard, until, type Yard } from '../worker/test-yard.ts'
import { openMessage, openPage, type TestPage } from './test-page.ts'

const TRAINING = 'Linux in the browser'
let yard: Yard
let admin: Caller
let learner: Caller
let other: Caller
let stranger: Caller
const tokens = new Map<string, string>()
let url: string
const pages: TestPage[] = []
let pasted = 0

beforeAll(async () => {
  yard = await startYard()
  await yard.worker()
  const acme = await yard.organisation('Acme')
  const globex = await yard.organisation('Globex')
  admin = await yard.as('admin', 'admin@acme.test', acme)
  stranger = await yard.as('admin', 'admin@globex.test', globex)
  await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test', 'two@acme.test']))
  learner = await yard.as('user', 'one@acme.test', acme)
  other = await yard.as('user', 'two@acme.test', acme)
  for (const email of ['admin@acme.test', 'one@acme.test', 'two@acme.test', 'admin@globex.test']) {
    const found = await yard.credentials(email)
    tokens.set(email, found.token)
    url = found.url
  }
  await running(2)
})
afterEach(() => {
  for (const page of pages.splice(0)) page.close()
})
afterAll(() => yard.stop())

const running = (count: number) =>
  until(
    'they run',
    () => machinesOf(admin, TRAINING),
    (machines) => machines.filter(({ status, publicIp }) => status === 'Running' && publicIp !== null).length === count,
  )
const machineOf = async (email: string): Promise<Machine> =>
  (await machinesOf(admin, TRAINING)).find((machine) => machine.email === email)!

/** A ticket asked for in the very session that the page will have. */
async function ticketFor(email: string, vmName: string): Promise<string> {
  const response = await fetch(`${url}/remote/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.get(email)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vmName }),
  })
  const body = (await response.json()) as { password: string; message: string }
  if (!response.ok) throw new Error(`${response.status}: ${body.message}`)
  return body.password
}

async function pageOf(email: string): Promise<TestPage> {
  const page = await openPage({ url, token: tokens.get(email)! })
  pages.push(page)
  return page
}

/** Presents a ticket; answers the sentence that it was refused with. */
async function refusal(email: string, machine: string, ticket: string): Promise<string> {
  const page = await pageOf(email)
  page.send(openMessage(machine, ticket))
  return (await page.told('ended')).sentence
}

async function terminal(email = 'one@acme.test', of = email): Promise<{ page: TestPage; machine: Machine }> {
  const machine = await machineOf(of)
  const page = await pageOf(email)
  page.send(openMessage(machine.name, await ticketFor(email, machine.name)))
  await page.told('opened')
  await prints(page, '$ ')
  return { page, machine }
}

const prints = (page: TestPage, text: string) =>
  until(
    `it prints ${text}`,
    async () => page.printed(),
    (printed) => printed.includes(text),
  )
const rows = async () =>
  (
    await sql<{ open: number; ended: string[] }>`
    select count(*) filter (where closed_at is null)::int as open,
      array_agg(ended order by closed_at) filter (where ended is not null) as ended from remote_session`.execute(
      yard.db,
    )
  ).rows[0]!

describe('a terminal', () => {
  test('runs commands on the machine, and its opening and closing are written down', async () => {
    const { page, machine } = await terminal()
    page.type('echo "$((" > note; whoami; cat note\r')
    await prints(page, 'learner\r\n$((')
    page.send({ kind: 'resize', columns: 30, rows: 10 })
    page.type('touch aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb; ls\r')
    await prints(page, 'aaaaaaaaaaaaaaaaaaaa\r\nbbbbbbbbbbbbbbbbbbbb\r\n')
    page.type('exit\r')
    expect((await page.told('ended')).sentence).toBe(REMOTE.shellEnded)
    expect(await page.closed).toBe(1000)
    await until('its row is closed', rows, ({ open }) => open === 0)
    const { rows: audit } = await sql<{ call: string; actor_email: string; detail: { machine: string } }>`
      select call, actor_email, detail from audit where call like 'remote.%' order by id desc limit 3`.execute(yard.db)
    expect(audit.map(({ call }) => call)).toEqual(['remote.close', 'remote.open', 'remote.ticket'])
    expect(new Set(audit.map(({ actor_email }) => actor_email))).toEqual(new Set(['one@acme.test']))
    expect(audit[0]!.detail).toMatchObject({ machine: machine.name, ended: REMOTE.shellEnded })
  })

  test('is held back while the page does not show what is printed, and loses nothing', async () => {
    const { page } = await terminal()
    page.showing = false
    const before = page.received()
    page.type('seq 20000 > many\r')
    for (let i = 0; i < 8; i += 1) page.type('cat many many\r')
    page.type('echo the very end | cat\r')
    await until(
      'it prints',
      async () => page.received(),
      (received) => received > before + 400_000,
    )
    const heldAt = await settled(page)
    expect(heldAt - before).toBeLessThan(1_200_000)
    page.showing = true
    page.send({ kind: 'shown', bytes: heldAt })
    await prints(page, '| cat\r\nthe very end\r\n')
    expect(page.received() - before).toBeGreaterThan(1_700_000)
  })

  test('takes a large paste whole', async () => {
    const { page } = await terminal()
    // A file of its own, as the machine keeps what an earlier try wrote.
    const file = `pasted${(pasted += 1)}`
    const line = `echo ${'x'.repeat(1_000)} >> ${file}\r`
    for (let i = 0; i < 100; i += 1) page.type(line)
    page.type(`wc -l ${file}\r`)
    expect(await prints(page, '\r\n100\r\n')).toContain('$ ')
  })
})

/** What was received, once that has come to rest. */
async function settled(page: TestPage): Promise<number> {
  let last = -1
  let same = 0
  return until(
    'nothing more comes',
    async () => {
      same = page.received() === last ? same + 1 : 0
      last = page.received()
      return last
    },
    () => same >= 6,
  )
}

describe('a ticket', () => {
  test('opens once, also when it comes twice at the same moment', async () => {
    const { name } = await machineOf('one@acme.test')
    const ticket = await ticketFor('one@acme.test', name)
    const both = await Promise.all([pageOf('one@acme.test'), pageOf('one@acme.test')])
    for (const page of both) page.send(openMessage(name, ticket))
    const told = await Promise.all(both.map((page) => Promise.race([page.told('opened'), page.told('ended')])))
    expect(told.map(({ kind }) => kind).sort()).toEqual(['ended', 'opened'])
    expect(told).toContainEqual({ kind: 'ended', sentence: REMOTE.ticketRefused })
    expect(await refusal('one@acme.test', name, ticket)).toBe(REMOTE.ticketRefused)
  })

  test('is refused after 60 s, to another session, to another user, for another machine, and when it was never made', async () => {
    const { name } = await machineOf('one@acme.test')
    const theirs = await machineOf('two@acme.test')
    const own = await ticketFor('one@acme.test', name)
    expect(await refusal('two@acme.test', name, own)).toBe(REMOTE.ticketRefused)
    const { token } = await yard.credentials('one@acme.test')
    const elsewhere = await openPage({ url, token })
    pages.push(elsewhere)
    elsewhere.send(openMessage(name, own))
    expect((await elsewhere.told('ended')).sentence).toBe(REMOTE.ticketRefused)
    const admins = await ticketFor('admin@acme.test', name)
    expect(await refusal('admin@acme.test', theirs.name, admins)).toBe(REMOTE.ticketRefused)
    expect(await refusal('one@acme.test', name, 'x'.repeat(43))).toBe(REMOTE.ticketRefused)
    await yard.step(61)
    expect(await refusal('one@acme.test', name, own)).toBe(REMOTE.ticketRefused)
    // None of these wasted the admin's: it is too old only now.
    expect(await refusal('admin@acme.test', name, admins)).toBe(REMOTE.ticketRefused)
  })

  test('is kept as a hash, and stands in no audit row', async () => {
    const { name } = await machineOf('one@acme.test')
    const ticket = await ticketFor('one@acme.test', name)
    const { rows: found } = await sql<{ n: number }>`
      select (select count(*) from remote_ticket t where t::text like ${`%${ticket}%`})
        + (select count(*) from audit a where a::text like ${`%${ticket}%`})
        + (select count(*) from kept_answer k where k::text like ${`%${ticket}%`}) as n`.execute(yard.db)
    expect(found).toEqual([{ n: 0 }])
  })

  test('is given to whoever may reach the machine, and to nobody else', async () => {
    const { name } = await machineOf('one@acme.test')
    const ask = async (caller: Caller, vmName = name) => {
      const { status, body } = await caller('POST', '/remote/ticket', { vmName })
      return { status, message: body.message as string }
    }
    expect((await ask(learner)).status).toBe(200)
    expect((await ask(admin)).status).toBe(200)
    const absent = await ask(other, 'nobody-1')
    expect(absent.status).toBe(404)
    expect(await ask(other)).toEqual(absent)
    expect(await ask(stranger)).toEqual(absent)
    const superadmin = await yard.as('superadmin', 'super@portal.test', null)
    expect((await ask(superadmin)).status).toBe(200)
    const { body } = await learner('POST', '/remote/ticket', { vmName: name })
    expect(body.url).toBe(`/remote/#/?username=${name}&password=${body.password}`)
  })
})

describe('the socket', () => {
  test('is refused to other sites, and to whoever is not logged in', async () => {
    const token = tokens.get('one@acme.test')!
    await expect(openPage({ url, token, origin: 'https://evil.test' })).rejects.toThrow('403')
    await expect(openPage({ url, token, origin: null })).rejects.toThrow('403')
    await expect(openPage({ url, token: null })).rejects.toThrow('401')
    await expect(openPage({ url, token: 'made-up' })).rejects.toThrow('401')
  })

  test('closes on what it does not understand: typing before opening, no JSON, too much at once', async () => {
    const typing = await pageOf('one@acme.test')
    typing.type('ls\r')
    expect((await typing.told('ended')).sentence).toBe(REMOTE.misspoken)
    const odd = await pageOf('one@acme.test')
    odd.send({ kind: 'open' } as never)
    expect((await odd.told('ended')).sentence).toBe(REMOTE.misspoken)
    const { page } = await terminal()
    page.type(Buffer.alloc(70_000, 'x'))
    expect(await page.closed).toBe(1009)
  })

  test('gives a machine five terminals, and no sixth', async () => {
    await until('nothing is open', rows, ({ open }) => open === 0)
    const { machine } = await terminal()
    for (let i = 0; i < 4; i += 1) await terminal()
    const ticket = await ticketFor('one@acme.test', machine.name)
    expect(await refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE.full(machine.name))
  })
})

test('terminals of a process that died count no more, and are closed by another', async () => {
  const machine = await machineOf('two@acme.test')
  await sql`insert into remote_session (session_hash, email, machine_id, organisation_id, seen_at)
    select '', 'died@acme.test', id, organisation_id, portal_now() - interval '91 seconds'
    from machine, generate_series(1, 5) where name = ${machine.name}`.execute(yard.db)
  await terminal('two@acme.test')
  await until(
    'they are closed',
    async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from remote_session
          where email = 'died@acme.test' and closed_at is null`.execute(yard.db)
      ).rows[0]!.n,
    (open) => open === 0,
  )
  expect((await rows()).open).toBeGreaterThanOrEqual(1)
  const { rows: audit } = await sql<{ n: number }>`select count(*)::int as n from audit a
    join remote_session r on a.detail ->> 'terminal' = r.id::text
    where a.call = 'remote.close' and r.email = 'died@acme.test'`.execute(yard.db)
  expect(audit).toEqual([{ n: 5 }])
})

describe('a terminal ends', () => {
  const power = ({ name, resourceGroup }: Machine, operation: 0 | 1) =>
    admin('PATCH', '/azure/machines', [{ operation }, { name, resourceGroup }])
  async function startedAgain(machine: Machine): Promise<void> {
    await until(
      'it is stopped',
      () => machineOf(machine.email),
      ({ status }) => status === 'Stopped',
    )
    await power(machine, 1)
    await running(2)
  }

  test('when its machine is powered off, with a word why; and none is opened then', async () => {
    const { page, machine } = await terminal('two@acme.test')
    await power(machine, 0)
    expect((await page.told('ended')).sentence).toBe(REMOTE.poweredOff(machine.name))
    await page.closed
    await expect(ticketFor('two@acme.test', machine.name)).rejects.toThrow('409')
    await startedAgain(machine)
  })

  test('when it is shut down from inside, which the portal sees and follows', async () => {
    const { page, machine } = await terminal('two@acme.test')
    page.type('sudo shutdown -h now\r')
    expect((await page.told('ended')).sentence).toBe(REMOTE.machineClosed(machine.name))
    await startedAgain(machine)
  })

  test('when the access window closes to the learner, and stays for the admin', async () => {
    const mine = await terminal('one@acme.test')
    const theirs = await terminal('admin@acme.test', 'one@acme.test')
    // Open from an hour ago for two hours; then the clock goes on two hours.
    await sql`update training set access_start = (portal_now() at time zone 'Asia/Kolkata' - interval '1 hour')::time,
      access_stop = (portal_now() at time zone 'Asia/Kolkata' + interval '1 hour')::time`.execute(yard.db)
    mine.page.type('echo still $USER\r')
    await prints(mine.page, 'still learner')
    await yard.step(2 * 3600)
    expect((await mine.page.told('ended')).sentence).toMatch(
      /^Access to this training is open from \d\d:\d\d to \d\d:\d\d\.$/,
    )
    await expect(ticketFor('one@acme.test', mine.machine.name)).rejects.toThrow('403')
    theirs.page.type('echo admins stay $USER\r')
    await prints(theirs.page, 'admins stay learner')
    await sql`update training set access_start = null, access_stop = null`.execute(yard.db)
  })

  test('when its user logs out', async () => {
    const { token } = await yard.credentials('one@acme.test')
    tokens.set('one@acme.test', token)
    const { page } = await terminal('one@acme.test')
    await fetch(`${url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect((await page.told('ended')).sentence).toBe(REMOTE.signedOut)
    tokens.set('one@acme.test', (await yard.credentials('one@acme.test')).token)
  })
})

test('a machine that shows another host key than at first is sent nothing', async () => {
  const { page, machine } = await terminal('two@acme.test')
  page.close()
  await yard.control('POST', `/_machines/${machine.name}/hostKey`)
  const ticket = await ticketFor('two@acme.test', machine.name)
  expect(await refusal('two@acme.test', machine.name, ticket)).toBe(REMOTE.keyChanged(machine.name))
})

test('a key is kept when a machine first runs, before anybody connects', async () => {
  await admin('POST', '/azure/machines', order(TRAINING, ['three@acme.test']))
  await running(3)
  const { name } = await machineOf('three@acme.test')
  await pinFirstKeys(yard.parts.db, sshShells({ proxy: yard.emulatorUrl }), new AbortController().signal)
  await yard.control('POST', `/_machines/${name}/hostKey`)
  expect(await refusal('admin@acme.test', name, await ticketFor('admin@acme.test', name))).toBe(REMOTE.keyChanged(name))
})

test('an address in the row that is none of a cloud is never dialled', async () => {
  const machine = await machineOf('one@acme.test')
  for (const address of ['127.0.0.1', '169.254.169.254', 'localhost', '10.0.0.4']) {
    await sql`update machine set public_ip = ${address} where name = ${machine.name}`.execute(yard.db)
    const ticket = await ticketFor('one@acme.test', machine.name)
    expect(await refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE.unreachable(machine.name))
  }
})

test('a Windows machine hands out a file, without the password', async () => {
  const { name } = await machineOf('two@acme.test')
  await sql`update machine set os = 'Windows' where name = ${name}`.execute(yard.db)
  const page = await pageOf('two@acme.test')
  page.send(openMessage(name, await ticketFor('two@acme.test', name)))
  const file = await page.told('file')
  expect(file).toMatchObject({ machine: name, name: `${name}.rdp` })
  expect(file.text).toMatch(/^full address:s:[\d.]+:3389\r\nusername:s:learner\r\n/)
  expect(file.text).not.toContain('password')
})

test('nothing went wrong in the background, and nothing is left open', async () => {
  expect(yard.faults).toEqual([])
  for (const page of pages) page.close()
  await until('all rows are closed', rows, ({ open }) => open === 0)
})
