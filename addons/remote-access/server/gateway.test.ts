/** @module-tag full */
import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { OPEN_SOCKETS_PER_USER } from '@trainyard/platform/contract/words/limits.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { declaredLimits } from '@trainyard/platform/server/http/limits.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openPage } from '../test/terminal-page.ts'
import { sharedTerminals } from '../test/terminals.ts'

const at = await sharedTerminals()

/** Opens pages, fifty at a time, because the lookups of a user's session are limited too. */
async function openMany(count: number, token: string) {
  const opened: PromiseSettledResult<Awaited<ReturnType<typeof openPage>>>[] = []
  while (opened.length < count) {
    const some = Math.min(50, count - opened.length)
    opened.push(...(await Promise.allSettled(Array.from({ length: some }, () => openPage({ url: at.url, token })))))
  }
  return opened
}

describe('the socket', () => {
  test('refuses other sites and callers without a session', async () => {
    const token = at.tokens.get('one@acme.test')!
    await expect(openPage({ url: at.url, token, origin: 'https://evil.test' })).rejects.toThrow('403')
    await expect(openPage({ url: at.url, token, origin: null })).rejects.toThrow('403')
    await expect(openPage({ url: at.url, token: null })).rejects.toThrow('401')
    await expect(openPage({ url: at.url, token: 'made-up' })).rejects.toThrow('401')
  })

  test('closes refused connections, even if the client never closes its side', async () => {
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
      // The client does not close its side after the portal has closed its own.
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

  test('limits open sockets per user without affecting other users', async () => {
    const token = at.tokens.get('two@acme.test')!
    const opened = await openMany(300, token)
    const pages = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    at.pages.push(...pages)
    expect(pages).toHaveLength(OPEN_SOCKETS_PER_USER)
    const reasons = opened.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(new Set(reasons)).toEqual(new Set(['Error: 429']))
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

  test('does not count connections that were closed during authentication', async () => {
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
      const leaving = Array.from({ length: OPEN_SOCKETS_PER_USER }, () => {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.write(`${handshake.join('\r\n')}\r\n\r\n`)
        return socket
      })
      await until('all have come', at.env.connections, (count) => count >= before + OPEN_SOCKETS_PER_USER)
      for (const socket of leaving) socket.resetAndDestroy()
      await until('all have left', at.env.connections, (count) => count <= before)
    })
    // The portal may still be looking up the sessions of those that left, and opens the next ones after them.
    let open = 0
    await until(
      'as many as before can be opened',
      async () => {
        const opened = await openMany(OPEN_SOCKETS_PER_USER - open, token)
        const pages = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
        at.pages.push(...pages)
        return (open += pages.length)
      },
      (count) => count >= OPEN_SOCKETS_PER_USER,
    )
    expect(open).toBe(OPEN_SOCKETS_PER_USER)
  })

  test('closes on invalid messages: input before opening, invalid JSON, too large', async () => {
    const typing = await at.pageOf('one@acme.test')
    typing.type('ls\r')
    expect((await typing.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.invalidMessage)
    const odd = await at.pageOf('one@acme.test')
    odd.send({ kind: 'open' } as never)
    expect((await odd.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.invalidMessage)
    const { page } = await at.terminal()
    page.type(Buffer.alloc(70_000, 'x'))
    expect(await page.closed).toBe(1009)
  })

  test('allows five terminals per machine', async () => {
    await until('nothing is open', at.rows, ({ open }) => open === 0)
    const { machine } = await at.terminal()
    for (let i = 0; i < 4; i += 1) await at.terminal()
    const ticket = await at.ticketFor('one@acme.test', machine.name)
    expect(await at.refusal('one@acme.test', machine.name, ticket)).toBe(REMOTE_MESSAGES.full(machine.name))
  })

  test('looks up no session for an address with too many unknown tokens', { tags: ['storm'] }, async () => {
    const token = at.tokens.get('one@acme.test')!
    at.pages.push(await openPage({ url: at.url, token }))
    const { max } = declaredLimits().find(({ name }) => name === 'unknown-sessions')!
    const send = (n: number) =>
      at.env.portal.server.inject({ url: '/api/user/me', headers: { authorization: `Bearer unknown-${n}` } })
    // Refusals of more calls at once are delayed.
    for (let sent = 0; sent < max; sent += 8) await Promise.all(Array.from({ length: 8 }, (_, n) => send(sent + n)))
    await expect(openPage({ url: at.url, token: 'made-up' })).rejects.toThrow('429')
    expect((await send(max)).statusCode).toBe(429)
    at.pages.push(await openPage({ url: at.url, token }))
  })
})

test('closes terminals of a crashed process from another process, and no longer counts them', async () => {
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

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
