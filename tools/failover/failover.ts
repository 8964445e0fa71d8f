import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../../server/src/config.ts'
import { connect, poolOf } from '../../server/src/db/client.ts'
import { WriteRecord } from './record.ts'

/**
 * Runs `npm run failover`: kills the primary database under load and counts the lost changes. See
 * docs/operate/failover.md.
 */
const { values } = parseArgs({
  options: {
    kill: { type: 'string' },
    ready: { type: 'string' },
    kills: { type: 'string', default: '50' },
    writers: { type: 'string', default: '4' },
    limit: { type: 'string', default: '15' },
  },
})
const { kill, ready } = values
const url = readConfig(process.env).secrets.ownerUrl
if (kill === undefined || ready === undefined || url === null) {
  process.stderr.write("Usage: DATABASE_URL=... npm run failover -- --kill 'COMMAND' --ready 'COMMAND' [--kills 50]\n")
  process.exit(2)
}
const [kills, writers, limitMs] = [Number(values.kills), Number(values.writers), Number(values.limit) * 1_000]
const BETWEEN_WRITES_MS = 20
const BETWEEN_CHECKS_MS = 500
const READY_MS = 180_000
/** Milliseconds of writes without a disturbance before each kill. */
const LOAD_MS = 2_000

const db = connect({ connectionString: url }, { size: writers + 1, as: 'owner' })
const pool = poolOf(db)!
const record = new WriteRecord(performance.now())
const stopping = new AbortController()

async function keepWriting(): Promise<void> {
  while (!stopping.signal.aborted) {
    const number = record.next()
    try {
      await pool.query('insert into failover_probe (number) values ($1)', [number])
      record.acknowledge(number, performance.now())
    } catch {
      record.fail()
    }
    await sleep(BETWEEN_WRITES_MS)
  }
}

/** Returns false if the command fails or takes longer than 30 s. */
function succeeds(command: string): boolean {
  try {
    execFileSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

async function awaitReady(): Promise<void> {
  const end = performance.now() + READY_MS
  while (!succeeds(ready!)) {
    if (performance.now() > end) throw new Error(`The cluster was not ready within ${READY_MS / 1_000} s.`)
    await sleep(BETWEEN_CHECKS_MS)
  }
}

async function lostWrites(): Promise<number> {
  const first = record.acknowledged
  const { rows } = await pool.query<{ number: number }>('select number from failover_probe')
  return record.lost(new Set(rows.map(({ number }) => number)), first).length
}

await awaitReady()
await pool.query('drop table if exists failover_probe')
await pool.query('create table failover_probe (number bigint primary key)')
const writing = Array.from({ length: writers }, keepWriting)
const pauses: number[] = []
process.stdout.write('kill | writes paused, s | acknowledged so far | failed so far | acknowledged and lost\n')
try {
  for (let number = 1; number <= kills; number++) {
    await sleep(LOAD_MS)
    record.startPause(performance.now())
    if (!succeeds(kill)) throw new Error('The kill command failed.')
    // Commands block this process, so the readiness is queried only after writes succeed again.
    const before = record.acknowledged
    const end = performance.now() + READY_MS
    while (record.acknowledged < before + writers * 5 && performance.now() < end) await sleep(BETWEEN_WRITES_MS)
    const pause = record.pause(performance.now())
    pauses.push(pause)
    const { acknowledged, failed } = record
    const lostNumbers = await lostWrites()
    process.stdout.write(`${number} | ${(pause / 1_000).toFixed(1)} | ${acknowledged} | ${failed} | ${lostNumbers}\n`)
    await awaitReady()
  }
  stopping.abort()
  await Promise.all(writing)
  const sorted = pauses.toSorted((a, b) => a - b)
  const [median, longestMs, lostNumbers] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!, await lostWrites()]
  process.stdout.write(
    `${kills} kills: writes paused ${(median / 1_000).toFixed(1)} s (median), at most ${(longestMs / 1_000).toFixed(1)} s; ` +
      `${lostNumbers} of ${record.acknowledged} acknowledged writes lost.\n`,
  )
  await pool.query('drop table failover_probe')
  if (lostNumbers > 0 || longestMs > limitMs) process.exitCode = 1
} finally {
  stopping.abort()
  await db.destroy()
}
