import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { hashPassword } from '@trainyard/server/src/domain/people/user/passwords.ts'
import { type Api, startApi } from './api-process.ts'
import { table } from './figures.ts'
import { memoryOf } from './load/memory.ts'
import { learnersOf, mixOf, TRAINING } from './load/mix.ts'
import { type Asked, hangUp, openLoop, type Step } from './load/open-loop.ts'
import { processorOf } from './load/processor.ts'
import { seed } from './seed/fill.ts'

/**
 * An API under an open loop: calls are sent when they are due, whether or not those before were answered, by a mix of
 * roles, while consoles listen and people sign in. Load and portal share the machine.
 */
const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    streams: { type: 'string', default: '2000' },
    logins: { type: 'string', default: '500' },
    rates: { type: 'string', default: '20,50,100,200,400,700,1000' },
  },
})
const [SECONDS, STREAMS, SIGN_INS] = [Number(given.seconds), Number(given.streams), Number(given.logins)]
const SIGN_IN_SECONDS = 60
const PASSWORD = 'a-Bench-password-1'
/** Organisations with machines: each has 200 learners in the training that is looked at. */
const BUSY = 4

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
const listening = new Agent({ maxSockets: Infinity })
try {
  await seed(folder, { organisations: 20, busy: BUSY }, () => {})
  const portal = await startApi(folder)
  try {
    const used = processorOf(portal.pid, folder)
    const people = await mixOf(portal, BUSY)
    const rows: string[][] = []
    const measure = async (name: string, work: () => Promise<Step>) => {
      used()
      const { sent, answered, p50, p99, errors } = await work()
      const cores = used()
      const all = [`${sent}`, answered.toFixed(0), p50.toFixed(0), p99.toFixed(0), `${errors}`]
      const busy = [cores.api, cores.postgres, cores.load].map((each) => each.toFixed(2))
      const row = [name, ...all, ...busy, `${memoryOf(portal.pid)}`]
      rows.push(row)
      // A table is whole at the end only, and the last of it may take long.
      console.log(row.join('  '))
    }
    const mix = (call: number) => people[call % people.length]!
    for (const rate of given.rates.split(',').map(Number))
      await measure(`${rate} calls a second`, () => openLoop(rate, SECONDS, mix))
    const open = await listen(portal)
    await measure(`100 calls a second, ${open} streams`, () => openLoop(100, SECONDS, mix))
    const logins = await signIns(portal)
    await measure(`${SIGN_INS} sign-ins in ${SIGN_IN_SECONDS} s`, () =>
      openLoop(SIGN_INS / SIGN_IN_SECONDS, SIGN_IN_SECONDS, (call) => logins[call]!),
    )
    const head = ['what', 'sent', 'answered a second', 'p50 ms', 'p99 ms', 'errors']
    console.log(table([...head, 'api cores', 'postgres', 'load itself', 'api MB'], rows))
    console.log(`${availableParallelism()} cores, load of the machine ${loadavg()[0]!.toFixed(1)}.`)
  } finally {
    listening.destroy()
    hangUp()
    await portal.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Opens the streams of consoles, some for each learner; answers how many there are. */
async function listen({ url, session, databaseUrl }: Api): Promise<number> {
  let open = 0
  const learners = await learnersOf(databaseUrl)
  for (let place = 0; place < STREAMS; place += 2) {
    const uid = await session(learners[(place / 2) % learners.length]!)
    const one = () =>
      new Promise<void>((resolve) => {
        get(
          `${url}/azure/machines/events?${TRAINING}`,
          { agent: listening, headers: { authorization: `Bearer ${uid}` } },
          (reply) => {
            reply.once('error', () => {})
            reply.resume()
            if (reply.statusCode === 200) open++
            resolve()
          },
        ).once('error', () => resolve())
      })
    await Promise.all([one(), one()])
  }
  return open
}

/** As the login page asks, of as many people, each with a password. */
async function signIns({ url, databaseUrl }: Api): Promise<Asked[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  const { rows } = await db.query<{ email: string }>(
    `update portal_user set password_hash = $1
     where id in (select id from portal_user where role = 'user' order by email limit $2) returning email`,
    [await hashPassword(PASSWORD), SIGN_INS],
  )
  await db.end()
  return rows.map(({ email }) => ({
    url: `${url}/user/login`,
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
  }))
}
