import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { send } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

/** The long form, `npm run storm`: the receiver is down for an hour, during which each process is killed 12 times. */
const LONG = process.env.STORM === 'long'
const ROUNDS = LONG ? 12 : 1
const LEARNERS = LONG ? 8 : 3
const HANDS_PER_ROUND = LONG ? 10 : 2
const WAIT = LONG ? 600_000 : 60_000
/** Replies of the receiver while it is down. */
const FAILURES = ['500', 'timeout'] as const

interface Received {
  readonly message_id: string
  readonly type: string
  readonly rejected: string | null
  readonly answer: string
  readonly body: string
}

const processes = new Map<string, ChildProcess>()
const env = await sharedEnvironment()
afterAll(() => {
  for (const each of processes.values()) each.kill('SIGKILL')
})
const port = await freePort()

async function start(name: 'api' | 'worker'): Promise<void> {
  const started = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../apps/server/main.ts', import.meta.url)), name],
    {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env.portal.settings, PORT: String(port) },
    },
  )
  processes.set(name, started)
  if (name !== 'api') return
  await until(
    'the API answers',
    () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null),
    (reply) => reply !== null,
    WAIT,
  )
}

async function kill(name: 'api' | 'worker'): Promise<void> {
  const killed = processes.get(name)!
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  // In the short form the next worker runs in this process, which starts a second faster.
  if (name === 'worker' && !LONG) await env.worker()
  else await start(name)
}

test(
  'every event arrives once a receiver is up again, in order and with one id, although API and worker were killed',
  { timeout: 20 * WAIT },
  async () => {
    const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
    await admin('POST', '/azure/machines', order('Storm', people(LEARNERS)))
    await Promise.all([start('api'), start('worker')])
    await until(
      'the machines run',
      () => machinesOf(admin, 'Storm'),
      (all) => all.length === LEARNERS && all.every(({ status }) => status === 'Running'),
      WAIT,
    )
    const { body: endpoint } = await admin('POST', '/webhooks', {
      url: `${env.emulator.url}/webhooks/receive`,
      description: 'Storm',
      events: ['hand.raised', 'hand.lowered'],
    })
    await env.control('POST', '/_receiver', { secret: endpoint.secret as string })
    const received = async () => (await env.control('GET', '/_receiver')).body.received as Received[]

    /** Number of acknowledged calls by learner. A call whose reply was lost may also have had an effect. */
    const acknowledged = new Map<string, number>()
    const handsOf = async (email: string, count: number) => {
      const { token } = await env.credentials(email)
      const url = `http://127.0.0.1:${port}/api/azure/class/hand`
      const headers = { authorization: `Bearer ${token}` }
      const calls = [
        () => send('POST', url, { trainingName: 'Storm' }, headers),
        () => send('DELETE', `${url}?trainingName=Storm`, undefined, headers),
      ]
      for (let at = 0; at < count; at++) {
        for (const call of calls) {
          await until(
            `${email} is answered`,
            () => call().catch(() => null),
            (reply) => reply?.status === 200,
            WAIT,
          )
        }
        acknowledged.set(email, (acknowledged.get(email) ?? 0) + 1)
      }
    }

    for (let round = 0; round < ROUNDS; round++) {
      await env.control('POST', '/_receiver', { answer: FAILURES[round % FAILURES.length]! })
      const raising = people(LEARNERS).map((email) => handsOf(email, HANDS_PER_ROUND))
      await kill('api')
      const before = (await received()).length
      await until('a request is in progress', received, (all) => all.length > before, WAIT)
      await kill('worker')
      await Promise.all(raising)
      await env.step(3_600 / ROUNDS)
    }
    await env.control('POST', '/_receiver', { answer: '200' })
    await until(
      'everything is delivered',
      async () => {
        await env.step(120)
        const { body } = await admin('GET', '/webhooks')
        return (body.endpoints as { pending: number }[])[0]!.pending
      },
      (pending) => pending === 0,
      WAIT,
    )

    const all = await received()
    expect(all.filter(({ rejected }) => rejected !== null)).toEqual([])
    const { rows: events } = await sql<{ id: string }>`select id from webhook_event`.execute(env.db)
    const accepted = new Map<string, Received>()
    for (const one of all.filter(({ answer }) => answer === '200')) {
      // A repeat is recognised by its id.
      if (!accepted.has(one.message_id)) accepted.set(one.message_id, one)
    }
    expect([...accepted.keys()].toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    for (const email of people(LEARNERS)) {
      const types = [...accepted.values()].filter(({ body }) => body.includes(`"${email}"`)).map(({ type }) => type)
      expect(types).toEqual(types.map((_, at) => (at % 2 === 0 ? 'hand.raised' : 'hand.lowered')))
      expect(types.length).toBeGreaterThanOrEqual(2 * acknowledged.get(email)!)
    }
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
    expect(env.bugs).toEqual([])
  },
)
