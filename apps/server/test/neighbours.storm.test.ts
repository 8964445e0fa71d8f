import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Attack, LoadArguments, LoadCall, Measured } from './load-client.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sharedTerminals, TRAINING } from '@trainyard/remote-access/test/terminals.ts'

/** Duration of a phase. The first and the last are quiet, so that other work of this machine affects both kinds. */
const SECONDS = 30
const PHASES = 4
const PER_SECOND = 20
const ABSENT = '00000000-0000-4000-8000-000000000000'

const at = await sharedTerminals()

function start(options: LoadArguments) {
  const script = fileURLToPath(new URL('./load-client.ts', import.meta.url))
  return spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Measures the calls of a client before, during and after the attack. */
async function measure(url: string, calls: readonly LoadCall[], attack: readonly Attack[]) {
  const client = start({ url, measure: calls, perSecond: PER_SECOND, seconds: SECONDS, phases: PHASES })
  let attacker: ChildProcess | null = null
  let phase = 0
  let output = ''
  for await (const line of createInterface(client.stdout)) {
    if (phase === 1) attacker = start({ url, attack })
    if (phase === PHASES - 1) attacker?.kill('SIGKILL')
    phase += 1
    output = line
  }
  const replies = JSON.parse(output) as Measured[]
  const summary = (isAttacked: boolean) => {
    const of = replies.filter((reply) => [0, PHASES - 1].includes(reply.phase) !== isAttacked)
    const sorted = of.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const [p50, p95] = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]!)
    return { p50: p50!, p95: p95!, statuses: [...new Set(of.map(({ status }) => status))] }
  }
  return { quiet: summary(false), attacked: summary(true) }
}

test('a tenant does not notice the attacks of another', async () => {
  const { db } = at.env
  await at.env.signIn('admin', 'second@acme.test', at.acme)
  await at.env.signIn('user', 'neighbour@globex.test', at.globex)
  await sql`insert into audit (request_id, call, actor_email, organisation_id, detail)
    select 'x', 'file.row', 'large@acme.test', ${at.acme},
      jsonb_build_object('text', (select string_agg(md5(n || ' ' || m), '') from generate_series(1, 30) m))
    from generate_series(1, 9000) n`.execute(db)
  const tokenOf = async (email: string) => (await at.env.credentials(email)).token
  const learner = await tokenOf('one@acme.test')
  const { name: vmName } = await at.machineOf('one@acme.test')

  const silent = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const databaseUrl = at.env.portal.settings['DATABASE_URL']!
  const settings = {
    ...at.env.portal.settings,
    PORT: String(await freePort()),
    SSH_PROXY: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    TRUSTED_PROXIES: 'loopback',
    DATABASE_CONNECTIONS: '16',
    RATE_LIMIT_FACTOR: '1',
  }
  const overrides = { deadlineFactor: 1, cacheSessions: true }
  const portal = await startPortalOn(databaseUrl, settings, overrides)
  const { url } = portal

  const address = '198.51.100.1'
  const neighbours: LoadCall[] = []
  for (const email of ['admin@globex.test', 'neighbour@globex.test']) {
    const by = { method: 'GET', token: await tokenOf(email), address: '203.0.113.9' }
    neighbours.push({ ...by, path: '/user/me' }, { ...by, path: '/user/search?text=vm' }, { ...by, path: '/user/keys' })
  }
  const security = { method: 'PATCH', path: '/admin/organization/security', address: '203.0.113.9' }
  const change = { ...security, token: await tokenOf('admin@globex.test') }
  neighbours.push({ ...change, body: { organization: 'Globex', idleMinutes: 60 } })

  const usage = `/azure/usage?trainingName=${encodeURIComponent(TRAINING)}`
  const post = (path: string, body: object = {}) => ({ method: 'POST', path, body, address })
  const attacks: Attack[] = [
    { connections: 520, how: 'unfinished', call: post('/lti/finish') },
    { connections: 200, how: 'repeat', call: { method: 'GET', path: usage, token: learner, address } },
    {
      connections: 40,
      how: 'repeat',
      call: { method: 'GET', path: `/remote/folder?vmName=${vmName}`, token: await tokenOf('two@acme.test'), address },
    },
    ...(await Promise.all(
      ['admin@acme.test', 'second@acme.test'].map(async (email): Promise<Attack> => {
        const token = await tokenOf(email)
        return { connections: 4, how: 'unread', call: { ...post('/admin/audit/export', { format: 'jsonl' }), token } }
      }),
    )),
    {
      connections: 20,
      how: 'repeat',
      call: { method: 'PUT', path: `/remote/transfers/${ABSENT}/0`, token: learner, address },
    },
    { connections: 50, how: 'upgrade', call: { method: 'GET', path: '/remote/socket', token: 'made-up', address } },
    { connections: 10, how: 'repeat', call: { ...post('/admin/users'), token: learner } },
  ]
  try {
    const { quiet, attacked } = await measure(url, neighbours, attacks)
    console.log(JSON.stringify({ quiet, attacked, ratio: attacked.p95 / quiet.p95 }))
    expect(quiet.statuses).toEqual([200])
    expect(attacked.statuses).toEqual([200])
    expect(attacked.p95).toBeLessThanOrEqual(2 * quiet.p95)
  } finally {
    await portal.close()
    silent.close()
  }
})
