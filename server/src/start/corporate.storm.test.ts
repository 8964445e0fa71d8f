import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { hashToken } from '../core/tokens.ts'
import { connect } from '../db/client.ts'
import { embeddedPlace } from '../db/embedded/place.ts'
import { stopPostmaster } from '../db/embedded/postmaster.ts'
import type { Db } from '../db/schema.ts'
import { brokenInvariants } from '../invariants/check.ts'
import type { Caller } from '#test/caller.ts'
import { cleanPathRequest, openDesktopPage, readAnswer } from '#test/desktop-page.ts'
import { machinesOf, order, template } from '#test/orders.ts'
import { freePort } from '#test/ports.ts'
import { proxyInside } from '#test/proxy-inside.ts'
import { removeFolder } from '#test/remove-folder.ts'
import { openMessage, openPage } from '#test/terminal-page.ts'
import { until } from '#test/until.ts'
import { createVirtualNetwork } from '#test/virtual-network.ts'
import { type PartName, processOf } from './test-processes.ts'

/**
 * The product as processes in the emulator's corporate subscription: from the order to a terminal and a desktop through
 * the gateway agent, without public addresses, while agent, API and worker are killed.
 */
const LIMIT = 120_000
/** The first start may build the web app. */
const START_LIMIT = 300_000
const ROUNDS = process.env['STORM'] === 'long' ? 3 : 1
const TRAINING = 'Corporate'
const NETWORK = 'Corporate labs'
const TAGS = { CostCentre: '4711' }
const WINDOWS = 'Windows small'
const INSIDE = 'labs/labs-net'
const main = fileURLToPath(new URL('../main.ts', import.meta.url))

const dir = mkdtempSync(join(tmpdir(), 'trainyard-corporate-'))
const agentDir = mkdtempSync(join(tmpdir(), 'trainyard-corporate-agent-'))
chmodSync(dir, 0o755)
let ports: { readonly http: number; readonly emulator: number; readonly smtp: number }
let supervisor: ChildProcess
let agent: ChildProcess
let owner: Db
const tokens = new Map<string, string>()
const portal = () => `http://127.0.0.1:${ports.http}`
const emulator = () => `http://127.0.0.1:${ports.emulator}`

beforeAll(async () => {
  ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  supervisor = spawn(process.execPath, [main, 'start', '--world', 'corporate'], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      // Without demo data.
      NODE_ENV: 'production',
      TRAINYARD_DATA: dir,
      PORT: String(ports.http),
      EMULATOR_PORT: String(ports.emulator),
      EMULATOR_SMTP_PORT: String(ports.smtp),
      EMULATOR_LATENCY: '0.02',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'error',
    },
  })
  await until('the portal is up', health, (parts) => parts?.['worker'] === 'up', START_LIMIT)
  owner = connect({ connectionString: embeddedPlace(dir).url }, { size: 2, as: 'owner' })
}, START_LIMIT)
afterAll(async () => {
  agent?.kill('SIGKILL')
  await owner?.destroy()
  const ended = once(supervisor, 'exit')
  supervisor.kill('SIGTERM')
  await ended
  await stopPostmaster(embeddedPlace(dir).cluster)
  removeFolder(dir)
  removeFolder(agentDir)
})

async function health(): Promise<Record<string, string> | null> {
  try {
    const reply = await fetch(`${portal()}/api/health`, { signal: AbortSignal.timeout(5_000) })
    return ((await reply.json()) as { parts: Record<string, string> }).parts
  } catch {
    return null
  }
}

const truth = async <T>(path = ''): Promise<T> => (await (await fetch(`${emulator()}/_truth${path}`)).json()) as T

async function signIn(role: Role, email: string, organisation: string | null): Promise<Caller> {
  const token = randomBytes(16).toString('hex')
  tokens.set(email, token)
  const { rows } = await sql<{ id: UserId }>`
    insert into portal_user (email, role, organisation_id, password_hash) values (${email}, ${role}, ${organisation}, 'none')
    on conflict (email) do update set role = excluded.role returning id`.execute(owner)
  const expires_at = new Date(Date.now() + 24 * 3_600_000)
  await owner
    .insertInto('session')
    .values({ token_hash: hashToken(token), user_id: rows[0]!.id, expires_at, confirmed_at: expires_at })
    .execute()
  return async (method, path, body) => {
    const reply = await fetch(`${portal()}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() } as never
  }
}

function startAgent(token: string | null): void {
  const { NODE_ENV: _, ...env } = process.env
  agent = spawn(process.execPath, [main, 'gateway'], {
    cwd: '/',
    stdio: 'ignore',
    env: {
      ...env,
      GATEWAY_PORTAL: portal(),
      ...(token !== null && { GATEWAY_TOKEN: token }),
      TRAINYARD_DATA: agentDir,
      SSH_PROXY: proxyInside(emulator(), INSIDE),
    },
  })
}

async function kill(part: PartName): Promise<void> {
  const pid = await until(
    `${part} runs`,
    async () => processOf(part, supervisor.pid!, dir),
    (found) => found !== null,
    LIMIT,
  )
  process.kill(pid!, 'SIGKILL')
  await until(
    `another ${part} runs`,
    async () => processOf(part, supervisor.pid!, dir),
    (found) => found !== null && found !== pid,
    LIMIT,
  )
  await until('the portal is up', health, (parts) => parts?.['worker'] === 'up' && parts['database'] === 'up', LIMIT)
}

async function ticketFor(email: string, vmName: string): Promise<string> {
  const reply = await fetch(`${portal()}/api/remote/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.get(email)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vmName }),
  })
  const body = (await reply.json()) as { password: string; message: string }
  if (!reply.ok) throw new Error(`${reply.status}: ${body.message}`)
  return body.password
}

/** Opens a terminal, after as many attempts as a user makes while the gateway reconnects. */
async function terminal({ email, name }: Machine) {
  const url = `${portal()}/api`
  const page = await until(
    `the terminal of ${name} opens`,
    async () => {
      const tried = await openPage({ url, token: tokens.get(email)! })
      tried.send(openMessage(name, await ticketFor(email, name)))
      const result = await Promise.race([tried.firstMessage('opened'), tried.firstMessage('ended')])
      if (result.kind === 'opened') return tried
      tried.close()
      return null
    },
    (opened) => opened !== null,
    LIMIT,
  )
  page!.type('whoami\r')
  await until(
    'the terminal works',
    async () => page!.printed(),
    (printed) => printed.includes('learner\r\n'),
    LIMIT,
  )
  return page!
}

async function desktop({ email, name }: Machine) {
  return until(
    `the desktop of ${name} opens`,
    async () => {
      const page = await openDesktopPage({ url: `${portal()}/api`, token: tokens.get(email)! })
      page.send(cleanPathRequest(name, await ticketFor(email, name)))
      const { status, chain } = readAnswer(await page.receive(1))
      if (status === null && chain.length > 0) return page
      page.close()
      return null
    },
    (opened) => opened !== null,
    LIMIT,
  )
}

/** Connects to port 22 of a machine from an address on the internet or in another virtual network. */
function connectFrom(login: string, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(login).toString('base64')}`
    const connecting = request({
      host: '127.0.0.1',
      port: ports.emulator,
      method: 'CONNECT',
      path: `${address}:22`,
      headers: { 'proxy-authorization': authorization },
    })
    connecting.on('connect', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode!)
    })
    connecting.on('error', reject).end()
  })
}

test(
  'machines without public addresses are ordered and used through the gateway, also after kills',
  { timeout: LIMIT * (6 + 4 * ROUNDS) },
  async () => {
    const { rows } = await sql<{ id: string }>`
      insert into organisation (name, logo, azure_tags) values ('Acme', null, ${JSON.stringify(TAGS)}) returning id`.execute(
      owner,
    )
    const acme = rows[0]!.id
    const root = await signIn('superadmin', 'root@acme.test', null)
    const admin = await signIn('admin', 'admin@acme.test', acme)
    const network = { name: NETWORK, route: 'gateway', ranges: ['10.0.0.0/16'] }
    expect(await root('POST', '/admin/networks', network)).toMatchObject({ status: 200 })
    const { body } = await root('POST', '/admin/networks/token', { network: NETWORK })
    await createVirtualNetwork(emulator(), INSIDE, TAGS)
    startAgent(body.token as string)
    const image_id = 'MicrosoftWindowsServer:WindowsServer:2022-datacenter-azure-edition:latest'
    await owner
      .insertInto('template')
      .values([template(), { ...template(), name: WINDOWS, os: 'Windows', image_id }])
      .execute()
    await sql`update template set private_network_id = (select id from private_network)`.execute(owner)
    await sql`insert into template_assignment (organisation_id, template_id) select ${acme}, id from template`.execute(
      owner,
    )

    const orderOne = async (email: string, more = {}) =>
      expect(await admin('POST', '/azure/machines', order(TRAINING, [email], more))).toMatchObject({ status: 200 })
    await orderOne('linux@acme.test')
    await orderOne('windows@acme.test', { templateName: WINDOWS })
    for (const email of ['linux@acme.test', 'windows@acme.test']) await signIn('user', email, acme)
    const running = (count: number) =>
      until(
        `${count} machines run`,
        () => machinesOf(admin, TRAINING),
        (found) => found.filter(({ status, publicIp }) => status === 'Running' && publicIp !== null).length === count,
        LIMIT,
      )
    const machines = await running(2)
    const linux = machines.find(({ email }) => email === 'linux@acme.test')!
    const windows = machines.find(({ email }) => email === 'windows@acme.test')!
    expect(linux).toMatchObject({ addressKind: 'private address', publicIp: expect.stringMatching(/^10\.0\./) })

    // The internet and other virtual networks do not reach the address.
    expect(await connectFrom('203.0.113.50:', linux.publicIp!)).toBe(502)
    expect(await connectFrom('10.0.0.200:other/net', linux.publicIp!)).toBe(502)
    expect(await connectFrom('10.0.0.200:labs/labs-net', linux.publicIp!)).toBe(200)

    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await terminal(linux)
      const screen = await desktop(windows)
      agent.kill('SIGKILL')
      await first.firstMessage('ended')
      await screen!.closed
      startAgent(null)

      const second = await terminal(linux)
      const again = await desktop(windows)
      await kill('api')
      await second.closed
      await again!.closed

      const third = await terminal(linux)
      await orderOne(`late${round}@acme.test`)
      await kill('worker')
      third.type('echo still here\r')
      await until(
        'the terminal outlives the worker',
        async () => third.printed(),
        (printed) => printed.includes('still here\r\n'),
        LIMIT,
      )
      third.close()
      await running(3 + round)
      ;(await desktop(windows))!.close()
    }

    const existing = (await truth<{ machines: { exists: boolean; tags: Record<string, string> }[] }>()).machines.filter(
      ({ exists }) => exists,
    )
    expect(existing).toHaveLength(2 + ROUNDS)
    expect(new Set(existing.map(({ tags }) => tags['trainyard-machine'])).size).toBe(2 + ROUNDS)
    expect(existing.every(({ tags }) => tags['CostCentre'] === '4711')).toBe(true)
    expect(await truth('?part=addresses')).toMatchObject({ addresses: [] })
    await until(
      'no session is open',
      async () => (await sql`select from remote_session where closed_at is null`.execute(owner)).rows,
      (open) => open.length === 0,
      LIMIT,
    )
    await until(
      'nothing is stuck',
      () => brokenInvariants(owner, { quiet: true }),
      (broken) => broken.length === 0,
      LIMIT,
    )
  },
)
