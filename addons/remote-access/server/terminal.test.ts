import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { pinFirstKeys } from './first-keys.ts'
import { sshShells } from './shells.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openMessage, type TestPage } from '../test/terminal-page.ts'
import { sharedTerminals, TRAINING } from '../test/terminals.ts'

interface Seat {
  readonly machine: { readonly email: string }
  readonly connectedSince: string | null
  readonly disconnectedSince: string | null
}

const at = await sharedTerminals()
let pasted = 0

describe('a terminal', () => {
  test('runs commands on the machine and is audited when opened and closed', async () => {
    const { page, machine } = await at.terminal()
    page.type("echo '$((' > note; whoami; cat note\r")
    await at.prints(page, 'learner\r\n$((')
    page.send({ kind: 'resize', columns: 30, rows: 10 })
    page.type('touch aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb; ls\r')
    await at.prints(page, 'aaaaaaaaaaaaaaaaaaaa\r\nbbbbbbbbbbbbbbbbbbbb\r\n')
    page.type('exit\r')
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.shellEnded)
    expect(await page.closed).toBe(1000)
    await until('its row is closed', at.rows, ({ open }) => open === 0)
    const { rows: audit } = await sql<{ call: string; actor_email: string; detail: { machine: string } }>`
      select call, actor_email, detail from audit where call like 'remote.%' order by id desc limit 3`.execute(
      at.env.db,
    )
    expect(audit.map(({ call }) => call)).toEqual(['remote.close', 'remote.open', 'remote.ticket'])
    expect(new Set(audit.map(({ actor_email }) => actor_email))).toEqual(new Set(['one@acme.test']))
    expect(audit[0]!.detail).toMatchObject({ machine: machine.name, ended: REMOTE_MESSAGES.shellEnded })
  })

  test("of a learner is visible to the class with connection and input times; an instructor's is not", async () => {
    const seat = async () => {
      const { body } = await at.admin('GET', `/azure/class?trainingName=${encodeURIComponent(TRAINING)}`)
      return (body as { seats: Seat[] }).seats.find(({ machine }) => machine.email === 'one@acme.test')!
    }
    const adminTerminal = await at.terminal('admin@acme.test', 'one@acme.test')
    expect((await seat()).connectedSince).toBeNull()
    adminTerminal.page.close()
    const before = at.env.now().getTime() - 1_000
    const { page, machine } = await at.terminal()
    expect(Date.parse((await seat()).connectedSince!)).toBeGreaterThan(before)
    page.type('true\r')
    const typed = async () => {
      const { rows } = await sql<{ at: Date }>`
        select input_at as at from machine_activity where machine_id = ${machine._id}`.execute(at.env.db)
      return rows[0]?.at.getTime() ?? 0
    }
    await until('it is known that somebody typed', typed, (when) => when > before)
    page.close()
    const remaining = await until('they are gone', seat, ({ connectedSince }) => connectedSince === null)
    expect(Date.parse(remaining.disconnectedSince!)).toBeGreaterThan(before)
  })

  test('keeps the session alive while the user types, and ends with an idle session', { tags: ['storm'] }, async () => {
    const { page } = await at.terminal()
    const { db } = at.env
    const unusedFor = (minutes: number) =>
      sql`update session set seen_at = portal_now() - make_interval(mins => ${minutes})`.execute(db)
    await unusedFor(4)
    await sql`update organisation set idle_minutes = 5 where name = 'Acme'`.execute(db)
    page.type('true\r')
    const seen = async () => {
      const { rows } = await sql<{ email: string }>`select u.email from session s join portal_user u on u.id = s.user_id
        where s.seen_at > portal_now() - interval '1 minute'`.execute(db)
      return rows.map(({ email }) => email)
    }
    await until('its session is seen', seen, (emails) => emails.includes('one@acme.test'))
    await unusedFor(6)
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.signedOut)
    await sql`update organisation set idle_minutes = null`.execute(db)
  })

  test('is paused while the page does not show output, and loses nothing', async () => {
    const { page } = await at.terminal()
    page.acknowledges = false
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
    page.acknowledges = true
    page.send({ kind: 'shown', bytes: heldAt })
    await at.prints(page, '| cat\r\nthe very end\r\n')
    expect(page.received() - before).toBeGreaterThan(1_700_000)
  })

  test('accepts a large paste completely', async () => {
    const { page } = await at.terminal()
    // Each try uses a new file, because the machine keeps the files of earlier tries.
    const file = `pasted${(pasted += 1)}`
    const line = `echo ${'x'.repeat(1_000)} >> ${file}\r`
    for (let i = 0; i < 100; i += 1) page.type(line)
    page.type(`cat ${file} | wc -l\r`)
    expect(await at.prints(page, '\r\n100\r\n')).toContain('$ ')
  })
})

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

describe('a terminal closes', () => {
  const power = ({ name, resourceGroup }: Machine, operation: 0 | 1) =>
    at.admin('PATCH', '/azure/machines', [{ operation }, { name, resourceGroup }])
  afterEach(async () => {
    const machine = await at.machineOf('two@acme.test')
    if (machine.status === 'Running') return
    await until(
      'it is stopped',
      () => at.machineOf(machine.email),
      ({ status }) => status === 'Stopped',
    )
    await power(machine, 1)
    await at.running(2)
  })

  test('when its machine is powered off, with a reason; no new terminal can be opened', async () => {
    const { page, machine } = await at.terminal('two@acme.test')
    await power(machine, 0)
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.poweredOff(machine.name))
    await page.closed
    await expect(at.ticketFor('two@acme.test', machine.name)).rejects.toThrow('409')
  })

  test('when the machine is shut down from inside, which the portal detects', async () => {
    const { page, machine } = await at.terminal('two@acme.test')
    page.type('sudo shutdown -h now\r')
    // Both reasons are valid: the machine closed the connection, or the portal had noticed the shutdown before.
    const { sentence } = await page.firstMessage('ended')
    expect([REMOTE_MESSAGES.machineClosed(machine.name), REMOTE_MESSAGES.poweredOff(machine.name)]).toContain(sentence)
    await until(
      'the portal sees it',
      () => at.machineOf(machine.email),
      ({ status }) => status === 'Stopped',
    )
  })

  test('when the access window of the learner closes, but not for the admin', async () => {
    const learnerTerminal = await at.terminal('one@acme.test')
    const adminTerminal = await at.terminal('admin@acme.test', 'one@acme.test')
    // The window has been open for an hour and closes in another hour. Then the clock advances two hours.
    await sql`update training set access_start = (portal_now() at time zone 'Asia/Kolkata' - interval '1 hour')::time,
      access_stop = (portal_now() at time zone 'Asia/Kolkata' + interval '1 hour')::time`.execute(at.env.db)
    learnerTerminal.page.type('echo still $USER\r')
    await at.prints(learnerTerminal.page, 'still learner')
    await at.env.step(2 * 3600)
    expect((await learnerTerminal.page.firstMessage('ended')).sentence).toMatch(
      /^Access to this training is open from \d\d:\d\d to \d\d:\d\d\.$/,
    )
    await expect(at.ticketFor('one@acme.test', learnerTerminal.machine.name)).rejects.toThrow('403')
    adminTerminal.page.type('echo admins stay $USER\r')
    await at.prints(adminTerminal.page, 'admins stay learner')
    await sql`update training set access_start = null, access_stop = null`.execute(at.env.db)
  })

  test('when its user logs out', async () => {
    const { token } = await at.env.credentials('one@acme.test')
    at.tokens.set('one@acme.test', token)
    const { page } = await at.terminal('one@acme.test')
    await fetch(`${at.url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.signedOut)
    at.tokens.set('one@acme.test', (await at.env.credentials('one@acme.test')).token)
  })
})

test('sends nothing to a machine whose host key has changed', async () => {
  const { page, machine } = await at.terminal('two@acme.test')
  page.close()
  await at.env.control('POST', `/_machines/${machine.name}/hostKey`)
  const ticket = await at.ticketFor('two@acme.test', machine.name)
  expect(await at.refusal('two@acme.test', machine.name, ticket)).toBe(REMOTE_MESSAGES.keyChanged(machine.name))
})

test('pins the host key when a machine first runs, before any connection', async () => {
  await at.admin('POST', '/azure/machines', order(TRAINING, ['three@acme.test']))
  await at.running(3)
  const { name } = await at.machineOf('three@acme.test')
  const shells = sshShells({ proxy: at.env.emulator.url })
  await until(
    'it has booted far enough to show its key',
    async () => {
      await pinFirstKeys(at.env.parts.db, shells, {}, new AbortController().signal)
      return at.env.db.selectFrom('machine').select('host_key').where('name', '=', name).executeTakeFirstOrThrow()
    },
    ({ host_key }) => host_key !== null,
  )
  await at.env.control('POST', `/_machines/${name}/hostKey`)
  expect(await at.refusal('admin@acme.test', name, await at.ticketFor('admin@acme.test', name))).toBe(
    REMOTE_MESSAGES.keyChanged(name),
  )
})

test("never connects to an address that cannot be a machine's public address", async () => {
  const machine = await at.machineOf('one@acme.test')
  for (const address of ['127.0.0.1', '169.254.169.254', 'localhost', '10.0.0.4']) {
    await sql`update machine set public_ip = ${address} where name = ${machine.name}`.execute(at.env.db)
    const ticket = await at.ticketFor('one@acme.test', machine.name)
    expect(await at.refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE_MESSAGES.unreachable(machine.name))
  }
})

test('opens the desktop of a Windows machine with its account, another ticket, and no password', async () => {
  const { name } = await at.machineOf('two@acme.test')
  await sql`update machine set os = 'Windows' where name = ${name}`.execute(at.env.db)
  const page = await at.pageOf('two@acme.test')
  page.send(openMessage(name, await at.ticketFor('two@acme.test', name)))
  const { account, password, ticket, file } = await page.firstMessage('desktop')
  expect({ account, length: ticket.length, name: file.name }).toEqual({
    account: 'learner',
    length: 43,
    name: `${name}.rdp`,
  })
  expect(file.text).toMatch(/^full address:s:[\d.]+:3389\r\nusername:s:learner\r\n/)
  expect(file.text).not.toContain(password)
})

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
