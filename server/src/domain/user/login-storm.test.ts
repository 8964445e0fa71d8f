import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../../db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../db/embedded/test-database.ts'
import { freePort } from '../../test-ports.ts'
import { until } from '../../worker/test-yard.ts'
import { hashPassword } from './passwords.ts'

const LONG = process.env['STORM'] === 'long'
const PASSWORD = 'a good long password'
const OWNERS = 20
/** Guesses a second, from four addresses, for so many seconds. The long form is what an operator is promised. */
const { guesses, seconds, patience } = LONG
  ? { guesses: 1_000, seconds: 70, patience: 1_000 }
  : { guesses: 100, seconds: 4, patience: 5_000 }

let database: TestDatabase
let api: ChildProcess
let port: number
const agent = new Agent({ keepAlive: true, maxSockets: 400 })

beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  port = await freePort()
  const db = connect({ connectionString: database.appUrl }, { size: 1, as: 'app' })
  const password_hash = await hashPassword(PASSWORD)
  const account = { role: 'superadmin', organisation_id: null, password_hash } as const
  await db
    .insertInto('portal_user')
    .values(Array.from({ length: OWNERS }, (_, i) => ({ ...account, email: `owner${i}@portal.test` })))
    .execute()
  await db.destroy()
  api = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url)), 'api'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      PORT: String(port),
      SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      LOG_LEVEL: 'silent',
    },
  })
  await until(
    'the API answers',
    () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null),
    (reply) => reply !== null,
  )
})
afterAll(async () => {
  api.kill('SIGKILL')
  agent.destroy()
  await database.drop()
})

/** Signs in from an address; answers the status, or 0 when the connection broke. */
function login(email: string, password: string, address: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/user/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      },
      (reply) => reply.resume().on('end', () => resolve(reply.statusCode!)),
    )
    sent.on('error', () => resolve(0))
    sent.end(JSON.stringify({ email, password }))
  })
}

test(
  'an honest login is heard within a second while others guess a thousand times a second from four addresses',
  async () => {
    const heard = new Map<number, number>()
    const pending = new Set<Promise<void>>()
    const began = performance.now()
    const since = () => (performance.now() - began) / 1_000
    let sent = 0
    const guessing = setInterval(() => {
      for (; sent < since() * guesses && since() < seconds; sent += 1) {
        const guess = login(`guessed${sent % 5_000}@portal.test`, 'a guess', `203.0.113.${sent % 4}`).then((status) => {
          heard.set(status, (heard.get(status) ?? 0) + 1)
          pending.delete(guess)
        })
        pending.add(guess)
      }
    }, 5)

    const times: number[] = []
    for (let i = 0; since() < seconds; i += 1) {
      const from = performance.now()
      expect(await login(`owner${i % OWNERS}@portal.test`, PASSWORD, `198.51.100.${i % 200}`)).toBe(200)
      times.push(performance.now() - from)
    }
    clearInterval(guessing)
    await Promise.all(pending)
    times.sort((a, b) => a - b)
    const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))]!)
    process.stdout.write(
      `${times.length} honest logins amid ${Math.round(sent / seconds)} guesses a second: p50 ${at(0.5)} ms, ` +
        `p99 ${at(0.99)} ms, max ${at(1)} ms; guesses by status ${JSON.stringify(Object.fromEntries(heard))}\n`,
    )
    expect(heard.get(200)).toBeUndefined()
    expect(heard.get(500)).toBeUndefined()
    // Refused early, not left waiting.
    expect(heard.get(429) ?? 0).toBeGreaterThanOrEqual(LONG ? sent / 2 : 0)
    expect(at(0.99)).toBeLessThanOrEqual(patience)
  },
  (seconds + 60) * 1_000,
)
