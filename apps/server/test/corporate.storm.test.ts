import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { type Caller, mustSend, send } from '@trainyard/platform/test/caller.ts'
import { cleanPathRequest, openDesktopPage, readAnswer } from '@trainyard/remote-access/test/desktop-page.ts'
import { machinesOf, order, template } from '@trainyard/platform/test/orders.ts'
import { proxyInside } from '@trainyard/platform/test/proxy-inside.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { openMessage, openPage } from '@trainyard/remote-access/test/terminal-page.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { createVirtualNetwork } from '@trainyard/platform/test/virtual-network.ts'
import { insertSession, makeProduct } from '../start/test-product.ts'
import { MAIN } from '../start/test-run.ts'

/**
 * Time limit of the test. The product runs in the emulator's corporate subscription: from the order to a
 * terminal and a desktop through the gateway agent, without public addresses, while agent and portal are killed.
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

const product = await makeProduct('corporate', 0.02, { args: ['--world', 'corporate'] })
const agentDir = mkdtempSync(join(tmpdir(), 'trainyard-corporate-agent-'))
let agent: ChildProcess
let owner: Db
const tokens = new Map<string, string>()

beforeAll(async () => {
  product.start()
  await until('the portal is up', product.health, (parts) => parts?.['worker'] === 'up', START_LIMIT)
  owner = connect({ connectionString: product.databaseUrl() }, { size: 2, as: 'owner' })
}, START_LIMIT)
afterAll(async () => {
  agent?.kill('SIGKILL')
  await owner?.destroy()
  await product.remove()
  removeFolder(agentDir)
})

const truth = async <T>(path = ''): Promise<T> => (await mustSend('GET', `${product.emulator}/_truth${path}`)) as T

async function signIn(role: Role, email: string, organisation: string | null): Promise<Caller> {
  const token = await insertSession(owner, { role, email, organisation })
  tokens.set(email, token)
  return (method, path, body) =>
    send(method, `${product.portal}/api${path}`, body, { authorization: `Bearer ${token}` })
}

function startAgent(token: string | null): void {
  const { NODE_ENV: _, ...env } = process.env
  agent = spawn(process.execPath, [MAIN, 'gateway'], {
    cwd: '/',
    stdio: 'ignore',
    env: {
      ...env,
      GATEWAY_PORTAL: product.portal,
      ...(token !== null && { GATEWAY_TOKEN: token }),
      TRAINYARD_DATA: agentDir,
      SSH_PROXY: proxyInside(product.emulator, INSIDE),
    },
  })
}

async function killPortal(): Promise<void> {
  process.kill(product.pidOf('portal')!, 'SIGKILL')
  await product.ended()
  product.start()
  await until(
    'the portal is up',
    product.health,
    (parts) => parts?.['worker'] === 'up' && parts['database'] === 'up',
    LIMIT,
  )
}

async function ticketFor(email: string, vmName: string): Promise<string> {
  const authorization = `Bearer ${tokens.get(email)}`
  const { password } = await mustSend('POST', `${product.portal}/api/remote/ticket`, { vmName }, { authorization })
  return password
}

/** Opens a terminal, with as many attempts as a user makes while the gateway reconnects. */
async function terminal({ email, name }: Machine) {
  const url = `${product.portal}/api`
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
      const page = await openDesktopPage({ url: `${product.portal}/api`, token: tokens.get(email)! })
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
      port: new URL(product.emulator).port,
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
    await createVirtualNetwork(product.emulator, INSIDE, TAGS)
    startAgent(body.token as string)
    const id = 'MicrosoftWindowsServer:WindowsServer:2022-datacenter-azure-edition:latest'
    await owner
      .insertInto('template')
      .values([template(), { ...template(), name: WINDOWS, os: 'Windows', image: { id } }])
      .execute()
    await sql`update template set private_network_id = (select id from private_network),
      address_kind = 'private address'`.execute(owner)
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
      await killPortal()
      await second.closed
      await again!.closed

      const third = await terminal(linux)
      await orderOne(`late${round}@acme.test`)
      await killPortal()
      await third.closed
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
      // A session is abandoned after 90 s, and closed in the second run of a task that runs every 30 s.
      2 * LIMIT,
    )
    await until(
      'nothing is stuck',
      () => brokenInvariants(owner, { quiet: true }),
      (broken) => broken.length === 0,
      LIMIT,
    )
  },
)
