/** @module-tag full */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Network } from '@trainyard/private-networks/contract/network.ts'
import { GATEWAY_CONNECTION_SOCKET, GATEWAY_SOCKET } from '@trainyard/platform/contract/words/network.ts'
import { REMOTE_MESSAGES } from '@trainyard/remote-access/contract/remote-words.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { green } from '@trainyard/platform/server/doctor/check.ts'
import { gatewayCheck } from '@trainyard/private-networks/server/doctor.ts'
import { issueConnectionTicket } from '@trainyard/private-networks/server/agent.ts'
import { privateKeyOf, readAgentState } from '@trainyard/private-networks/server/agent-state.ts'
import { AGENT_PURPOSE, PORTAL_PURPOSE } from '@trainyard/private-networks/server/protocol/handshake.ts'
import {
  enrolmentProof,
  enrolmentToken,
  readEnrolmentToken,
} from '@trainyard/private-networks/server/protocol/enrolment-token.ts'
import { fingerprintOf, makeSigningKeys, signFor } from '@trainyard/private-networks/server/protocol/signatures.ts'
import { Streams } from '@trainyard/private-networks/server/protocol/streams.ts'
import { signTicket, TICKET_HEADER } from '@trainyard/private-networks/server/protocol/tickets.ts'
import { connectTo } from '@trainyard/machines/server/ssh/dial.ts'
import { publicKeyOf, readSigningKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { ticketKeyContext } from '@trainyard/private-networks/server/encryption-context.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { sharedAgents, type TestAgent } from '@trainyard/private-networks/test/gateway-agent.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { proxyInside } from '@trainyard/platform/test/proxy-inside.ts'
import { sharedTerminals } from '@trainyard/remote-access/test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { createVirtualNetwork } from '@trainyard/platform/test/virtual-network.ts'

const NETWORK = 'Corporate labs'
const LEARNER = 'one@acme.test'

const startAgent = sharedAgents()
let root: Caller
let agent: TestAgent
let proxy: string
const at = await sharedTerminals({
  async prepare(env) {
    root = await env.signIn('superadmin', 'root@demo.test', null)
    const body = { name: NETWORK, route: 'gateway', ranges: ['10.0.0.0/16'] }
    await root('POST', '/admin/networks', body)
    await createVirtualNetwork(env.emulator.url, 'labs/labs-net')
    proxy = proxyInside(env.emulator.url, 'labs/labs-net')
    agent = startAgent({ portal: env.portal.url, token: await newToken(), machineProxy: proxy })
    await agent.connected()
    await sql`update template set private_network_id = (select id from private_network),
      address_kind = 'private address'`.execute(env.db)
  },
})

async function newToken(): Promise<string> {
  const { status, body } = await root('POST', '/admin/networks/token', { network: NETWORK })
  expect(status).toBe(200)
  return body.token as string
}

const networkRow = () => at.env.db.selectFrom('private_network').selectAll().executeTakeFirstOrThrow()
const gateway = async () => {
  const { body } = await root('GET', '/admin/networks')
  return (body.networks as Network[])[0]!.agent!
}
const rawKey = () => {
  const keys = makeSigningKeys()
  return { ...keys, key: privateKeyOf(keys) }
}

interface Introduction {
  readonly key: ReturnType<typeof rawKey>['key']
  readonly secret?: string
  readonly network?: string
  readonly origin?: string
  /** Nonce to sign instead of the portal's. */
  readonly nonce?: string
}

/** Introduces an agent whose protocol the test implements itself. Returns the portal's reply, and the open socket. */
async function introduce({ key, secret, network, origin, nonce }: Introduction) {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}${GATEWAY_SOCKET}`)
  const next = async () => JSON.parse(String((await once(socket, 'message'))[0])) as Record<string, string>
  const hello = await next()
  const id = network ?? (await networkRow()).id
  const publicKey = publicKeyOf(key).toString('base64url')
  const from = origin ?? new URL(at.env.portal.url).origin
  const introduction = [id, nonce ?? hello['nonce']!, from, publicKey]
  const signature = signFor(key, AGENT_PURPOSE, ...introduction)
  const proof = enrolmentProof(hashToken(secret ?? ''), ...introduction)
  const identity = { network: id, nonce: randomBytes(32).toString('base64url'), signature, version: '1', ranges: null }
  const message = secret === undefined ? { kind: 'connect' } : { kind: 'enrol', proof, publicKey }
  socket.send(JSON.stringify({ ...message, ...identity }))
  return { reply: await next(), socket, hello }
}

const secretOf = (token: string) => readEnrolmentToken(token)!.secret

describe('a machine in a private network', () => {
  test('has no public address, and is reached through the gateway', async () => {
    const { addresses } = await at.env.truth('addresses')
    expect(addresses).toEqual([])
    const { page, machine } = await at.terminal()
    expect(machine).toMatchObject({ addressKind: 'private address', publicIp: expect.stringMatching(/^10\.0\./) })
    page.type('whoami\r')
    await at.prints(page, 'learner\r\n')
    await until(
      'the probe found that it answers',
      async () => (await sql<{ ready: Date | null }>`select ready_at as ready from operation`.execute(at.env.db)).rows,
      (rows) => rows.every(({ ready }) => ready !== null),
    )
  })

  test('ends its sessions when the agent stops, and is reached again when it is back', async () => {
    const { page, machine } = await at.terminal()
    await agent.stop()
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.machineClosed(machine.name))
    const refused = await at.refusal(LEARNER, machine.name, await at.ticketFor(LEARNER, machine.name))
    expect(refused).toBe(REMOTE_MESSAGES.noGateway(machine.name))
    agent = startAgent({ ...agent.settings, token: null })
    await agent.connected()
    await at.terminal()
  })
})

test('refuses and audits a forged agent, and keeps the real agent connected', async () => {
  const { key } = rawKey()
  const token = await newToken()
  const forged: Introduction[] = [
    { key },
    { key, secret: randomBytes(32).toString('base64url') },
    { key, secret: secretOf(token), network: randomUUID() },
    // A forged portal passes the signature of an agent on, which names the wrong portal.
    { key, secret: secretOf(token), origin: 'https://portal.example.com' },
    { key, secret: secretOf(token), nonce: randomBytes(32).toString('base64url') },
  ]
  for (const attempt of forged) {
    const { reply, socket } = await introduce(attempt)
    expect(reply).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('is not valid') })
    if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
  }
  await sql`update private_network set enrolment_expires_at = portal_now()`.execute(at.env.db)
  expect((await introduce({ key, secret: secretOf(token) })).reply).toMatchObject({ kind: 'refused' })
  const { rows } = await sql<{ refusals: number }>`
    select count(*)::int as refusals from audit where call = 'gateway.connect' and refused = 'forbidden'`.execute(
    at.env.db,
  )
  expect(rows[0]!.refusals).toBe(forged.length + 1)
  expect((await gateway()).state).toBe('connected')
  await at.terminal()
})

test('a replayed enrolment token or handshake is refused', async () => {
  expect((await introduce({ key: rawKey().key, secret: secretOf(await usedToken()) })).reply).toMatchObject({
    kind: 'refused',
  })
  const key = privateKeyOf(readAgentState(agent.settings.dataDir)!)
  const recorded = await introduce({ key })
  expect(recorded.reply).toMatchObject({ kind: 'accepted' })
  recorded.socket.terminate()
  // The recorded signature belongs to the nonce of another handshake.
  expect((await introduce({ key, nonce: recorded.hello['nonce']! })).reply).toMatchObject({ kind: 'refused' })
  await agent.connected()
  await until('the agent is back', gateway, ({ state, version }) => state === 'connected' && version === '1.2.3')
})

test('the doctor reports an unreachable gateway and an unconnected gateway', async () => {
  const readable = { group: 'Database', name: 'connection', otherwise: '', run: async () => green('Readable.') }
  const runChecks = () => gatewayCheck(at.env.db, readable).run(AbortSignal.timeout(10_000))
  expect(await runChecks()).toMatchObject({ state: 'green' })
  const { held_at } = await networkRow()
  const setHolder = (url: string) => sql`update private_network set held_at = ${url}`.execute(at.env.db)
  for (const other of [`http://127.0.0.1:${await freePort()}`, at.env.emulator.url]) {
    await setHolder(other)
    expect(await runChecks()).toMatchObject({
      problems: [
        {
          what: expect.stringContaining(`is connected to an API process at ${other}, which this host does not reach`),
          todo: expect.stringContaining('PEER_URL'),
        },
      ],
    })
  }
  await setHolder(held_at!)
  await agent.stop()
  await until('the connection is closed', gateway, ({ state }) => state === 'disconnected')
  expect(await runChecks()).toMatchObject({
    problems: [
      { what: `No gateway of the network ${NETWORK} is connected.`, todo: expect.stringContaining('Start it') },
    ],
  })
  agent = await restarted()
})

test('shows a copied identity to the superadmin and audits it once, until a new token is used', async () => {
  const duplicateAudits = async () => {
    const { rows } = await sql<{ detail: unknown; address: string }>`
      select detail, address from audit where call = 'gateway.duplicate'`.execute(at.env.db)
    return rows
  }
  expect((await gateway()).duplicate).toBeNull()
  const { dataDir } = agent.settings
  const copy = mkdtempSync(join(tmpdir(), 'trainyard-stolen-'))
  copyFileSync(join(dataDir, 'gateway.json'), join(copy, 'gateway.json'))
  const copiedAgent = startAgent({ portal: at.env.portal.url, token: null, dataDir: copy, machineProxy: proxy })
  const { duplicate } = await until('the duplicate is shown', gateway, (value) => value.duplicate !== null)
  expect(duplicate).toEqual({ seenAt: expect.any(String), addresses: ['127.0.0.1'] })
  const connections = () => agent.messages.filter((message) => message.startsWith('Connected')).length
  const before = connections()
  await until(
    'the first one has replaced the copy',
    async () => connections(),
    (count) => count > before,
  )
  await copiedAgent.stop()
  expect(await duplicateAudits()).toEqual([
    { detail: { network: NETWORK, addresses: ['127.0.0.1'] }, address: '127.0.0.1' },
  ])
  await agent.connected()
  await usedToken()
  expect((await gateway()).duplicate).toBeNull()
  // A restart of the same gateway is not a duplicate.
  agent = await restarted()
  expect((await gateway()).duplicate).toBeNull()
})

async function restarted(): Promise<TestAgent> {
  await agent.stop()
  const next = startAgent({ ...agent.settings, token: null })
  await next.connected()
  return next
}

/** Enrols an agent with a new token, and returns the token. The shared agent is enrolled again afterwards. */
async function usedToken(): Promise<string> {
  await agent.stop()
  const token = await newToken()
  agent = startAgent({ portal: at.env.portal.url, token, machineProxy: proxy })
  await agent.connected()
  return token
}

/** Opens the socket on which processes of the portal use each other's agents. Returns the status of a refusal. */
async function useConnection(ticket: string): Promise<number | 'open'> {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}${GATEWAY_CONNECTION_SOCKET}`, {
    headers: { [TICKET_HEADER]: ticket },
  })
  try {
    return await new Promise((resolve, reject) => {
      socket.on('open', () => resolve('open'))
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode!))
      socket.on('error', reject)
    })
  } finally {
    socket.terminate()
  }
}

test('another process needs an unused ticket of this connection for an address in the ranges', async () => {
  const { id, connection, ticket_key } = await networkRow()
  const { seal } = at.env.portal.app
  const machine = await at.machineOf(LEARNER)
  const to = { address: machine.publicIp!, port: 22 }
  const network = { id, route: 'gateway', ranges: ['10.0.0.0/16'] } as const
  const { text } = (await issueConnectionTicket(at.env.db, seal, network, to))!
  expect(await useConnection(text)).toBe('open')
  expect(await useConnection(text)).toBe(403)
  const key = readSigningKey(seal.open(ticket_key!, ticketKeyContext(id)))
  const valid = {
    id: randomUUID(),
    network: id as string,
    connection: connection!,
    ...to,
    expires: at.env.now().getTime() + 9_000,
  }
  const refusals = [
    [signTicket(rawKey().key, valid), 403],
    [signTicket(key, { ...valid, network: randomUUID() }), 403],
    [signTicket(key, { ...valid, connection: randomUUID() }), 404],
    [signTicket(key, { ...valid, expires: at.env.now().getTime() - 1 }), 403],
    [signTicket(key, { ...valid, address: '10.1.0.4' }), 502],
    [signTicket(key, { ...valid, id: randomUUID(), address: '169.254.169.254' }), 502],
    [signTicket(key, { ...valid, id: randomUUID(), port: 23 }), 502],
    ['', 404],
  ] as const
  for (const [ticket, status] of refusals) expect([ticket, await useConnection(ticket)]).toEqual([ticket, status])
})

/** Starts a server that acts as the portal with the given keys. */
async function forgedPortal(keys: ReturnType<typeof rawKey>, ranges: readonly string[]) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const connection = randomUUID()
  const opened = Promise.withResolvers<Streams>()
  const received: string[] = []
  server.on('connection', (socket) => {
    socket.send(JSON.stringify({ kind: 'hello', nonce: randomBytes(32).toString('base64url') }))
    socket.once('message', (data: Buffer) => {
      received.push(data.toString())
      const { network, nonce } = JSON.parse(data.toString()) as { network: string; nonce: string }
      const proof = [network, nonce, connection, JSON.stringify(ranges)]
      const signature = signFor(keys.key, PORTAL_PURPOSE, ...proof)
      const publicKey = keys.publicKey.toString('base64url')
      socket.send(
        JSON.stringify({ kind: 'accepted', connection, name: 'Forged', ranges, publicKey, signature, now: Date.now() }),
      )
      opened.resolve(new Streams(socket, null))
    })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connection,
    received,
    streams: opened.promise,
    close: () => {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

test('an agent refuses and does not serve a portal that does not own the key of its token', async () => {
  const portal = await forgedPortal(rawKey(), ['10.0.0.0/16'])
  const token = await newToken()
  const victim = startAgent({ portal: portal.url, token, machineProxy: proxy })
  await until(
    'the agent complains',
    async () => victim.messages.at(-1),
    (message) => message?.includes('another server answers there') === true,
  )
  await expect((await portal.streams).open('ticket', AbortSignal.timeout(500))).rejects.toMatchObject({
    reason: 'unreachable',
  })
  await victim.stop()
  portal.close()
  // The agent sends neither the secret nor a message that the real portal would accept.
  const message = portal.received[0]!
  expect(message).not.toContain(secretOf(token))
  expect(message).not.toContain(hashToken(secretOf(token)).toString('base64url'))
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}${GATEWAY_SOCKET}`)
  await once(socket, 'message')
  socket.send(message)
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ kind: 'refused' })
})

test('a refused token does not change the identity of the agent', async () => {
  const { dataDir } = agent.settings
  const before = readAgentState(dataDir)
  await agent.stop()
  const { id, ticket_public_key } = await networkRow()
  const portal = fingerprintOf(ticket_public_key!)
  const wrong = enrolmentToken({ network: id, secret: 's'.repeat(43), portal })
  const refused = startAgent({ portal: at.env.portal.url, token: wrong, dataDir, machineProxy: proxy })
  await until(
    'the token is refused',
    async () => refused.messages.at(-1),
    (message) => message?.includes('is not valid') === true,
  )
  await refused.stop()
  expect(readAgentState(dataDir)).toEqual(before)
  agent = startAgent({ portal: at.env.portal.url, token: null, dataDir, machineProxy: proxy })
  await agent.connected()
})

describe('clients that have not identified themselves', () => {
  const connect = (headers: Record<string, string> = {}) =>
    new WebSocket(`${at.url.replace('http', 'ws')}${GATEWAY_SOCKET}`, { headers }).on('error', () => {})
  const statusOf = async (socket: WebSocket) =>
    ((await once(socket, 'unexpected-response'))[1] as { readonly statusCode: number }).statusCode

  test('cause no bug reports with a message that is too long', async () => {
    const socket = connect()
    await once(socket, 'message')
    const closed = once(socket, 'close')
    socket.send(Buffer.alloc(64 * 1024))
    await closed
    expect(at.env.bugs).toEqual([])
  })

  test('cannot be browsers', async () => {
    expect(await statusOf(connect({ origin: at.env.portal.url }))).toBe(403)
  })

  test('have a limit for each address, where the oldest that is silent gives way', async () => {
    const waiting = Array.from({ length: 10 }, () => connect())
    await Promise.all(waiting.map((socket) => once(socket, 'message')))
    const closed = Promise.race(waiting.map((socket) => once(socket, 'close')))
    const another = connect()
    await once(another, 'message')
    await closed
    expect(waiting.filter(({ readyState }) => readyState !== WebSocket.OPEN)).toHaveLength(1)
    for (const socket of [...waiting, another]) socket.terminate()
  })
})

test('an agent verifies every ticket itself, and checks its own ranges', async () => {
  const requests: string[] = []
  const machines: Server = createServer().on('connect', (request, socket) => {
    requests.push(request.url!)
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  machines.listen(0, '127.0.0.1')
  await once(machines, 'listening')
  const keys = rawKey()
  const portal = await forgedPortal(keys, ['10.0.0.0/8'])
  const network = randomUUID()
  const token = enrolmentToken({ network, secret: 's'.repeat(43), portal: fingerprintOf(keys.publicKey) })
  const machineProxy = `http://127.0.0.1:${(machines.address() as AddressInfo).port}`
  const restrictedAgent = startAgent({ portal: portal.url, token, machineProxy, ranges: ['10.20.0.0/16'] })
  const streams = await portal.streams
  const validTicket = {
    network,
    connection: portal.connection,
    address: '10.20.0.4',
    port: 22,
    expires: Date.now() + 20_000,
  }
  const open = async (change: object, by = keys) => {
    const ticket = signTicket(by.key, { id: randomUUID(), ...validTicket, ...change })
    return streams.open(ticket, AbortSignal.timeout(5_000)).then(
      () => 'opened',
      ({ reason }: { reason: string }) => reason,
    )
  }
  const id = randomUUID()
  expect(await open({ id })).toBe('opened')
  expect(await open({ id })).toBe('ticket')
  expect(await open({}, rawKey())).toBe('ticket')
  expect(await open({ network: randomUUID() })).toBe('ticket')
  expect(await open({ connection: randomUUID() })).toBe('ticket')
  expect(await open({ expires: Date.now() - 1_000 })).toBe('ticket')
  // Names are never resolved, so no DNS answer can change where a ticket leads.
  expect(await open({ address: 'machine.corp.example' })).toBe('ticket')
  expect(await open({ address: '10.21.0.4' })).toBe('range')
  expect(await open({ address: '192.168.0.4' })).toBe('range')
  expect(await open({ address: '127.0.0.1' })).toBe('range')
  expect(await open({ port: 445 })).toBe('range')
  expect(await open({ port: 3389 })).toBe('opened')
  expect(requests).toEqual(['10.20.0.4:22', '10.20.0.4:3389'])
  await restrictedAgent.stop()
  portal.close()
  machines.close()
})

test('detects an agent that connects to another machine by the host key, before sending a password', async () => {
  const [one, two] = [await at.machineOf(LEARNER), await at.machineOf('two@acme.test')]
  // The first connections have stored both keys.
  await at.terminal(LEARNER)
  await at.terminal('two@acme.test')
  const impostor = createServer().on('connect', (request, socket) => {
    const [address = '', port] = request.url!.split(':')
    const instead = address === one.publicIp ? two.publicIp! : address
    connectTo(instead, Number(port), proxy, AbortSignal.timeout(5_000)).then(
      (machine) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        machine
          .on('error', () => socket.destroy())
          .pipe(socket.on('error', () => machine.destroy()))
          .pipe(machine)
      },
      () => socket.destroy(),
    )
  })
  impostor.listen(0, '127.0.0.1')
  await once(impostor, 'listening')
  const { dataDir } = agent.settings
  await agent.stop()
  const machineProxy = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
  agent = startAgent({ portal: at.env.portal.url, token: null, dataDir, machineProxy })
  await agent.connected()
  expect(await at.refusal(LEARNER, one.name, await at.ticketFor(LEARNER, one.name))).toBe(
    REMOTE_MESSAGES.keyChanged(one.name),
  )
  await agent.stop()
  impostor.close()
  agent = startAgent({ portal: at.env.portal.url, token: null, dataDir, machineProxy: proxy })
  await agent.connected()
})

test('a newly enrolled agent replaces the old agent, and a revoked agent is disconnected', async () => {
  const { page } = await at.terminal()
  const next = startAgent({ portal: at.env.portal.url, token: await newToken(), machineProxy: proxy })
  await next.connected()
  await page.firstMessage('ended')
  await until(
    'the old agent is refused',
    async () => agent.messages.at(-1),
    (message) => message?.includes('is not valid') === true,
  )
  await agent.stop()
  agent = next
  const again = await at.terminal()
  expect(await root('DELETE', '/admin/networks/agent', { network: NETWORK })).toMatchObject({ status: 200 })
  await again.page.firstMessage('ended')
  expect((await gateway()).state).toBe('never')
  await until(
    'it is refused',
    async () => agent.messages.at(-1),
    (message) => message?.includes('is not valid') === true,
  )
  expect(await root('DELETE', '/admin/networks', { network: NETWORK })).toMatchObject({ status: 409 })
  expect(at.env.bugs).toEqual([])
})
