import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { OPEN_PER_PERSON } from '@trainyard/contract/words/limits.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import { pinFirstKeys } from '../domain/remote/first-keys.ts'
import { sessionCookie } from '../http/authenticate.ts'
import { sshShells } from '../providers/ssh/shells.ts'
import { order } from '#test/orders.ts'
import type { Caller } from '#test/caller.ts'
import { until } from '#test/until.ts'
import { openMessage, openPage, type TestPage } from '#test/terminal-page.ts'
import { startTerminals, TRAINING } from '#test/terminals.ts'

let at: Awaited<ReturnType<typeof startTerminals>>
let pasted = 0

beforeAll(async () => {
  at = await startTerminals()
})
afterEach(() => {
  for (const page of at.pages.splice(0)) page.close()
})
afterAll(() => at.env.stop())

describe('a terminal', () => {
  test('runs commands on the machine, and its opening and closing are written down', async () => {
    const { page, machine } = await at.terminal()
    page.type("echo '$((' > note; whoami; cat note\r")
    await at.prints(page, 'learner\r\n$((')
    page.send({ kind: 'resize', columns: 30, rows: 10 })
    page.type('touch aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb; ls\r')
    await at.prints(page, 'aaaaaaaaaaaaaaaaaaaa\r\nbbbbbbbbbbbbbbbbbbbb\r\n')
    page.type('exit\r')
    expect((await page.told('ended')).sentence).toBe(REMOTE.shellEnded)
    expect(await page.closed).toBe(1000)
    await until('its row is closed', at.rows, ({ open }) => open === 0)
    const { rows: audit } = await sql<{ call: string; actor_email: string; detail: { machine: string } }>`
      select call, actor_email, detail from audit where call like 'remote.%' order by id desc limit 3`.execute(
      at.env.db,
    )
    expect(audit.map(({ call }) => call)).toEqual(['remote.close', 'remote.open', 'remote.ticket'])
    expect(new Set(audit.map(({ actor_email }) => actor_email))).toEqual(new Set(['one@acme.test']))
    expect(audit[0]!.detail).toMatchObject({ machine: machine.name, ended: REMOTE.shellEnded })
  })

  test('is use of the session while somebody types in it, and ends with a session that was left unused', async () => {
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
    expect((await page.told('ended')).sentence).toBe(REMOTE.signedOut)
    await sql`update organisation set idle_minutes = null`.execute(db)
  })

  test('is held back while the page does not show what is printed, and loses nothing', async () => {
    const { page } = await at.terminal()
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
    await at.prints(page, '| cat\r\nthe very end\r\n')
    expect(page.received() - before).toBeGreaterThan(1_700_000)
  })

  test('takes a large paste whole', async () => {
    const { page } = await at.terminal()
    // A file of its own, as the machine keeps what an earlier try wrote.
    const file = `pasted${(pasted += 1)}`
    const line = `echo ${'x'.repeat(1_000)} >> ${file}\r`
    for (let i = 0; i < 100; i += 1) page.type(line)
    page.type(`cat ${file} | wc -l\r`)
    expect(await at.prints(page, '\r\n100\r\n')).toContain('$ ')
  })
})

/** Returns the number of bytes received, once no more come. */
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
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', name)
    const both = await Promise.all([at.pageOf('one@acme.test'), at.pageOf('one@acme.test')])
    for (const page of both) page.send(openMessage(name, ticket))
    const told = await Promise.all(both.map((page) => Promise.race([page.told('opened'), page.told('ended')])))
    expect(told.map(({ kind }) => kind).sort()).toEqual(['ended', 'opened'])
    expect(told).toContainEqual({ kind: 'ended', sentence: REMOTE.ticketRefused })
    expect(await at.refusal('one@acme.test', name, ticket)).toBe(REMOTE.ticketRefused)
  })

  test('that is refused leaves who tried it, for which machine, and whence', async () => {
    const machine = await at.machineOf('two@acme.test')
    await at.refusal('one@acme.test', machine.name, await at.ticketFor('two@acme.test', machine.name))
    const { rows } = await sql`
      select call, actor_email, address, refused, detail from audit where refused is not null order by id desc limit 1`.execute(
      at.env.db,
    )
    expect(rows).toEqual([
      {
        call: 'remote.open',
        actor_email: 'one@acme.test',
        address: '127.0.0.1',
        refused: 'forbidden',
        detail: { machine: machine.name },
      },
    ])
  })

  test('is refused after 60 s, to another session, to another user, for another machine, and when it was never made', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const theirs = await at.machineOf('two@acme.test')
    const own = await at.ticketFor('one@acme.test', name)
    expect(await at.refusal('two@acme.test', name, own)).toBe(REMOTE.ticketRefused)
    const { token } = await at.env.credentials('one@acme.test')
    const elsewhere = await openPage({ url: at.url, token })
    at.pages.push(elsewhere)
    elsewhere.send(openMessage(name, own))
    expect((await elsewhere.told('ended')).sentence).toBe(REMOTE.ticketRefused)
    const admins = await at.ticketFor('admin@acme.test', name)
    expect(await at.refusal('admin@acme.test', theirs.name, admins)).toBe(REMOTE.ticketRefused)
    expect(await at.refusal('one@acme.test', name, 'x'.repeat(43))).toBe(REMOTE.ticketRefused)
    await at.env.step(61)
    expect(await at.refusal('one@acme.test', name, own)).toBe(REMOTE.ticketRefused)
    // None of these wasted the admin's: it is too old only now.
    expect(await at.refusal('admin@acme.test', name, admins)).toBe(REMOTE.ticketRefused)
  })

  test('is kept as a hash, and stands in no audit row', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', name)
    const { rows: found } = await sql<{ n: number }>`
      select (select count(*) from remote_ticket t where t::text like ${`%${ticket}%`})
        + (select count(*) from audit a where a::text like ${`%${ticket}%`})
        + (select count(*) from stored_reply k where k::text like ${`%${ticket}%`}) as n`.execute(at.env.db)
    expect(found).toEqual([{ n: 0 }])
  })

  test('is given to whoever may reach the machine, and to nobody else', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ask = async (caller: Caller, vmName = name) => {
      const { status, body } = await caller('POST', '/remote/ticket', { vmName })
      return { status, message: body.message as string }
    }
    expect((await ask(at.learner)).status).toBe(200)
    expect((await ask(at.admin)).status).toBe(200)
    const absent = await ask(at.other, 'nobody-1')
    expect(absent.status).toBe(404)
    expect(await ask(at.other)).toEqual(absent)
    expect(await ask(at.stranger)).toEqual(absent)
    const superadmin = await at.env.as('superadmin', 'super@portal.test', null)
    expect((await ask(superadmin)).status).toBe(200)
    const { body } = await at.learner('POST', '/remote/ticket', { vmName: name })
    expect(body.url).toBe(`/remote/#/?username=${name}&password=${body.password}`)
  })
})

describe('the socket', () => {
  test('is refused to other sites, and to whoever is not logged in', async () => {
    const token = at.tokens.get('one@acme.test')!
    await expect(openPage({ url: at.url, token, origin: 'https://evil.test' })).rejects.toThrow('403')
    await expect(openPage({ url: at.url, token, origin: null })).rejects.toThrow('403')
    await expect(openPage({ url: at.url, token: null })).rejects.toThrow('401')
    await expect(openPage({ url: at.url, token: 'made-up' })).rejects.toThrow('401')
  })

  test('is closed where it was refused, also to those who never close their own side', async () => {
    const { host, port, hostname } = new URL(at.url)
    const handshake = ['GET /api/remote/socket HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket']
    const refused = [
      handshake.with(0, 'GET /elsewhere HTTP/1.1'),
      [...handshake, 'Origin: https://evil.test'],
      [
        ...handshake,
        `Origin: http://${host}`,
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
    ]
    const sockets = Array.from({ length: 300 }, (_, i) => {
      // Half open: the portal's end does not end ours.
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
      socket.on('error', () => {})
      socket.resume()
      socket.write(`${refused[i % refused.length]!.join('\r\n')}\r\n\r\n`)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'end')))
    const held = await until(
      'none is held',
      () => at.env.connections(),
      (count) => count < 50,
    )
    expect(held).toBeLessThan(50)
    for (const socket of sockets) socket.destroy()
  })

  test('is given to one person only so often, and to everybody else meanwhile', async () => {
    const token = at.tokens.get('two@acme.test')!
    const opened = await Promise.allSettled(Array.from({ length: 300 }, () => openPage({ url: at.url, token })))
    const pages = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    at.pages.push(...pages)
    expect(pages).toHaveLength(OPEN_PER_PERSON)
    const reasons = opened.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(new Set(reasons)).toEqual(new Set(['Error: 429']))
    // Another person, and another session of the same one.
    const { page } = await at.terminal('admin@acme.test', 'one@acme.test')
    page.close()
    await expect(openPage({ url: at.url, token: (await at.env.credentials('two@acme.test')).token })).rejects.toThrow(
      '429',
    )
    pages[0]!.close()
    await pages[0]!.closed
    await until(
      'there is room again',
      () => openPage({ url: at.url, token }).catch(() => null),
      (page) => page !== null && at.pages.push(page) > 0,
    )
  })

  test('counts for nobody who left before the portal knew them', async () => {
    const { host, port, hostname } = new URL(at.url)
    const token = at.tokens.get('two@acme.test')!
    const handshake = [
      'GET /api/remote/socket HTTP/1.1',
      `Host: ${host}`,
      `Origin: http://${host}`,
      `Cookie: ${sessionCookie(false)}=${token}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const before = await until('those of before are closed', at.env.connections, (count) => count < 10)
    await at.env.db.transaction().execute(async (tx) => {
      await sql`lock table session in access exclusive mode`.execute(tx)
      const leaving = Array.from({ length: OPEN_PER_PERSON }, () => {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.write(`${handshake.join('\r\n')}\r\n\r\n`)
        return socket
      })
      await until('all have come', at.env.connections, (count) => count >= before + OPEN_PER_PERSON)
      for (const socket of leaving) socket.resetAndDestroy()
      await until('all have left', at.env.connections, (count) => count <= before)
    })
    const pages = await Promise.all(Array.from({ length: OPEN_PER_PERSON }, () => openPage({ url: at.url, token })))
    at.pages.push(...pages)
    expect(pages).toHaveLength(OPEN_PER_PERSON)
  })

  test('closes on what it does not understand: typing before opening, no JSON, too much at once', async () => {
    const typing = await at.pageOf('one@acme.test')
    typing.type('ls\r')
    expect((await typing.told('ended')).sentence).toBe(REMOTE.misspoken)
    const odd = await at.pageOf('one@acme.test')
    odd.send({ kind: 'open' } as never)
    expect((await odd.told('ended')).sentence).toBe(REMOTE.misspoken)
    const { page } = await at.terminal()
    page.type(Buffer.alloc(70_000, 'x'))
    expect(await page.closed).toBe(1009)
  })

  test('gives a machine five terminals, and no sixth', async () => {
    await until('nothing is open', at.rows, ({ open }) => open === 0)
    const { machine } = await at.terminal()
    for (let i = 0; i < 4; i += 1) await at.terminal()
    const ticket = await at.ticketFor('one@acme.test', machine.name)
    expect(await at.refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE.full(machine.name))
  })
})

test('terminals of a process that died count no more, and are closed by another', async () => {
  const machine = await at.machineOf('two@acme.test')
  await sql`insert into remote_session (session_hash, email, machine_id, organisation_id, seen_at)
    select '', 'died@acme.test', id, organisation_id, portal_now() - interval '91 seconds'
    from machine, generate_series(1, 5) where name = ${machine.name}`.execute(at.env.db)
  await at.terminal('two@acme.test')
  await until(
    'they are closed',
    async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from remote_session
          where email = 'died@acme.test' and closed_at is null`.execute(at.env.db)
      ).rows[0]!.n,
    (open) => open === 0,
  )
  expect((await at.rows()).open).toBeGreaterThanOrEqual(1)
  const { rows: audit } = await sql<{ n: number }>`select count(*)::int as n from audit a
    join remote_session r on a.detail ->> 'terminal' = r.id::text
    where a.call = 'remote.close' and r.email = 'died@acme.test'`.execute(at.env.db)
  expect(audit).toEqual([{ n: 5 }])
})

describe('a terminal ends', () => {
  const power = ({ name, resourceGroup }: Machine, operation: 0 | 1) =>
    at.admin('PATCH', '/azure/machines', [{ operation }, { name, resourceGroup }])
  async function startedAgain(machine: Machine): Promise<void> {
    await until(
      'it is stopped',
      () => at.machineOf(machine.email),
      ({ status }) => status === 'Stopped',
    )
    await power(machine, 1)
    await at.running(2)
  }

  test('when its machine is powered off, with a word why; and none is opened then', async () => {
    const { page, machine } = await at.terminal('two@acme.test')
    await power(machine, 0)
    expect((await page.told('ended')).sentence).toBe(REMOTE.poweredOff(machine.name))
    await page.closed
    await expect(at.ticketFor('two@acme.test', machine.name)).rejects.toThrow('409')
    await startedAgain(machine)
  })

  test('when it is shut down from inside, which the portal sees and follows', async () => {
    const { page, machine } = await at.terminal('two@acme.test')
    page.type('sudo shutdown -h now\r')
    expect((await page.told('ended')).sentence).toBe(REMOTE.machineClosed(machine.name))
    await startedAgain(machine)
  })

  test('when the access window closes to the learner, and stays for the admin', async () => {
    const mine = await at.terminal('one@acme.test')
    const theirs = await at.terminal('admin@acme.test', 'one@acme.test')
    // Open from an hour ago for two hours; then the clock goes on two hours.
    await sql`update training set access_start = (portal_now() at time zone 'Asia/Kolkata' - interval '1 hour')::time,
      access_stop = (portal_now() at time zone 'Asia/Kolkata' + interval '1 hour')::time`.execute(at.env.db)
    mine.page.type('echo still $USER\r')
    await at.prints(mine.page, 'still learner')
    await at.env.step(2 * 3600)
    expect((await mine.page.told('ended')).sentence).toMatch(
      /^Access to this training is open from \d\d:\d\d to \d\d:\d\d\.$/,
    )
    await expect(at.ticketFor('one@acme.test', mine.machine.name)).rejects.toThrow('403')
    theirs.page.type('echo admins stay $USER\r')
    await at.prints(theirs.page, 'admins stay learner')
    await sql`update training set access_start = null, access_stop = null`.execute(at.env.db)
  })

  test('when its user logs out', async () => {
    const { token } = await at.env.credentials('one@acme.test')
    at.tokens.set('one@acme.test', token)
    const { page } = await at.terminal('one@acme.test')
    await fetch(`${at.url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect((await page.told('ended')).sentence).toBe(REMOTE.signedOut)
    at.tokens.set('one@acme.test', (await at.env.credentials('one@acme.test')).token)
  })
})

test('a machine that shows another host key than at first is sent nothing', async () => {
  const { page, machine } = await at.terminal('two@acme.test')
  page.close()
  await at.env.control('POST', `/_machines/${machine.name}/hostKey`)
  const ticket = await at.ticketFor('two@acme.test', machine.name)
  expect(await at.refusal('two@acme.test', machine.name, ticket)).toBe(REMOTE.keyChanged(machine.name))
})

test('a key is kept when a machine first runs, before anybody connects', async () => {
  await at.admin('POST', '/azure/machines', order(TRAINING, ['three@acme.test']))
  await at.running(3)
  const { name } = await at.machineOf('three@acme.test')
  await pinFirstKeys(at.env.parts.db, sshShells({ proxy: at.env.emulator.url }), new AbortController().signal)
  await at.env.control('POST', `/_machines/${name}/hostKey`)
  expect(await at.refusal('admin@acme.test', name, await at.ticketFor('admin@acme.test', name))).toBe(
    REMOTE.keyChanged(name),
  )
})

test('an address in the row that is none of a cloud is never dialled', async () => {
  const machine = await at.machineOf('one@acme.test')
  for (const address of ['127.0.0.1', '169.254.169.254', 'localhost', '10.0.0.4']) {
    await sql`update machine set public_ip = ${address} where name = ${machine.name}`.execute(at.env.db)
    const ticket = await at.ticketFor('one@acme.test', machine.name)
    expect(await at.refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE.unreachable(machine.name))
  }
})

test('a Windows machine hands out a file, without the password', async () => {
  const { name } = await at.machineOf('two@acme.test')
  await sql`update machine set os = 'Windows' where name = ${name}`.execute(at.env.db)
  const page = await at.pageOf('two@acme.test')
  page.send(openMessage(name, await at.ticketFor('two@acme.test', name)))
  const file = await page.told('file')
  expect(file).toMatchObject({ machine: name, name: `${name}.rdp` })
  expect(file.text).toMatch(/^full address:s:[\d.]+:3389\r\nusername:s:learner\r\n/)
  expect(file.text).not.toContain('password')
})

test('nothing went wrong in the background, and nothing is left open', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
