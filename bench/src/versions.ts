import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@trainyard/server/src/config.ts'
import { startEmbedded } from '@trainyard/server/src/db/embedded/start-embedded.ts'
import { migrateDatabase } from '@trainyard/server/src/start/migrate-database.ts'
import { type Api, startApiOnDatabase } from './api-process.ts'
import { median, table } from './figures.ts'
import { cpuSeconds } from './load/cpu.ts'
import { mixOf } from './load/mix.ts'
import { type BenchCall, closeConnections, openLoop, sendCall } from './load/open-loop.ts'
import { seed } from './seed/fill.ts'
import { USUAL_CALLS } from './usual-calls.ts'

/**
 * Compares this version with another one in alternating rounds on the same database: queries per call, CPU time of API
 * and PostgreSQL per call, and the highest rate of an open loop at which 99 of 100 calls are answered within 250 ms. CPU
 * times depend far less on other processes of the machine than durations do.
 */
const { values: options } = parseArgs({
  options: {
    /** Folder with the sources of the other version, with node_modules. */
    before: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '300' },
    /** Seconds of each step of the open loop. 0: no open loop. */
    seconds: { type: 'string', default: '15' },
  },
})
if (options.before === undefined) {
  console.error('Specify the folder of the version to compare with: npm run bench versions -- --before /tmp/older')
  process.exit(1)
}
const [ROUNDS, CALLS] = [Number(options.rounds), Number(options.calls)]
const STEP_SECONDS = Number(options.seconds)
const P99_LIMIT_MS = 250
const FIRST_RATE = 100
const RATE_FACTOR = 1.15
const AT_ONCE = 8
const BUSY = 4
const THIS = fileURLToPath(new URL('../../', import.meta.url))
const BEFORE = resolve(process.env['INIT_CWD'] ?? '.', options.before)

interface Version {
  readonly name: 'before' | 'now'
  readonly sources: string
}
const VERSIONS: readonly Version[] = [
  { name: 'before', sources: BEFORE },
  { name: 'now', sources: THIS },
]
type Cpu = Readonly<Record<'api' | 'postgres', number>>

/** Runs an API from its sources: the driver in a bundle cannot be recorded. */
const FROM_SOURCES = [
  '--input-type=module',
  '--eval',
  // Version 0.2 and older have the second file.
  `const { runCommand } = await import('./server/src/app/commands.ts').catch(() => import('./server/src/commands.ts'))
  await runCommand(['api'])`,
]
/** Calls before queries are counted, until the process has made the queries of its start. */
const WARM_UP_CALLS = 20

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
try {
  await seed(folder, { organisations: 20, busy: BUSY }, () => {})
  const embedded = await startEmbedded(folder)
  try {
    await migrateDatabase(readConfig({ TRAINYARD_DATA: folder }).secrets)
    const queries = { before: await queriesOf(BEFORE), now: await queriesOf(THIS) }
    const before = await startApiOnDatabase(folder, {}, BEFORE)
    const now = await startApiOnDatabase(folder, {}, THIS)
    try {
      const apis = { before, now }
      const rows: string[][] = []
      for (const [name, email, path] of USUAL_CALLS) {
        const session = await now.session(email)
        const row = await compare(apis, ({ url }) => [{ url: url + path, session }])
        rows.push([name, `${queries.before[name]}`, `${queries.now[name]}`, ...row])
        console.log(rows.at(-1)!.join('  '))
      }
      const mixes = { before: await mixOf(before, BUSY), now: await mixOf(now, BUSY) }
      const mixRow = await compare(apis, (api) => (api === before ? mixes.before : mixes.now))
      rows.push(['mix of bench load', '', '', ...mixRow])
      const header = ['call', 'queries before', 'now', 'API ms before', 'now', 'PostgreSQL ms before', 'now']
      console.log(table([...header, 'calls per core, now/before'], rows))
      if (STEP_SECONDS > 0) {
        const [highestBefore, highestNow] = [await highestRate(mixes.before), await highestRate(mixes.now)]
        console.log(
          `Highest calls per second with a 99th percentile of at most ${P99_LIMIT_MS} ms: before ` +
            `${highestBefore.toFixed(0)}, now ${highestNow.toFixed(0)}, ${(highestNow / highestBefore).toFixed(2)} times.`,
        )
      }
      console.log(`Medians of ${ROUNDS} alternating rounds; load average ${loadavg()[0]!.toFixed(1)}.`)
    } finally {
      await before.stop()
      await now.stop()
    }
  } finally {
    await embedded.stop()
  }
} finally {
  await closeConnections()
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the number of queries of each usual call. */
async function queriesOf(sources: string): Promise<Record<string, number>> {
  const file = join(folder, 'queries.jsonl')
  writeFileSync(file, '')
  const record = fileURLToPath(new URL('api/record.ts', import.meta.url))
  const api = await startApiOnDatabase(
    folder,
    { QUERIES: file, NODE_OPTIONS: `--import=${record}` },
    sources,
    FROM_SOURCES,
  )
  try {
    const counts: Record<string, number> = {}
    const [, warmUpEmail, warmUpPath] = USUAL_CALLS[0]!
    const warmUp = await api.as(warmUpEmail)
    for (let call = 0; call < WARM_UP_CALLS; call++) await warmUp(warmUpPath)
    for (const [name, email, path] of USUAL_CALLS) {
      const read = await api.as(email)
      // Background queries of the process can be counted too, so use the lowest of several counts.
      const queryCounts: number[] = []
      for (let call = 0; call < 5; call++) {
        const lengthBefore = readFileSync(file, 'utf8').length
        await read(path)
        queryCounts.push(readFileSync(file, 'utf8').slice(lengthBefore).split('\n').filter(Boolean).length)
      }
      counts[name] = Math.min(...queryCounts)
    }
    return counts
  } finally {
    await api.stop()
  }
}

/** Returns the CPU milliseconds per call of both versions, and the ratio of the calls per second of a core. */
async function compare(
  apis: Readonly<Record<Version['name'], Api>>,
  callsOf: (api: Api) => readonly BenchCall[],
): Promise<string[]> {
  const rounds: Record<Version['name'], Cpu>[] = []
  // PostgreSQL plans a named statement five times per connection before it keeps a plan.
  for (const { name } of VERSIONS) await cpuOf(apis[name], callsOf(apis[name]))
  for (let round = 0; round < ROUNDS; round++) {
    const cpuByVersion: Partial<Record<Version['name'], Cpu>> = {}
    for (const { name } of round % 2 === 0 ? VERSIONS : VERSIONS.toReversed()) {
      cpuByVersion[name] = await cpuOf(apis[name], callsOf(apis[name]))
    }
    rounds.push(cpuByVersion as Record<Version['name'], Cpu>)
  }
  const medianOf = (name: Version['name'], part: keyof Cpu) =>
    median(rounds.map((round) => round[name][part])).toFixed(2)
  const ratio = median(
    rounds.map(({ before, now }) => (before.api + before.postgres) / Math.max(0.001, now.api + now.postgres)),
  )
  return [
    medianOf('before', 'api'),
    medianOf('now', 'api'),
    medianOf('before', 'postgres'),
    medianOf('now', 'postgres'),
    ratio.toFixed(2),
  ]
}

async function cpuOf({ pid }: Api, calls: readonly BenchCall[]): Promise<Cpu> {
  const start = cpuSeconds(pid, folder)
  let sent = 0
  const caller = async () => {
    while (sent < CALLS) {
      const call = calls[sent++ % calls.length]!
      const status = await sendCall(call)
      if (status !== 200) throw new Error(`${call.url} answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  const end = cpuSeconds(pid, folder)
  return { api: ((end.api - start.api) * 1_000) / CALLS, postgres: ((end.postgres - start.postgres) * 1_000) / CALLS }
}

/** Returns the highest rate within the limit, in calls per second. Ends after two steps in a row that exceed it. */
async function highestRate(calls: readonly BenchCall[]): Promise<number> {
  let highest = 0
  for (let rate = FIRST_RATE, exceeded = 0; exceeded < 2; rate *= RATE_FACTOR) {
    const { p99, errors } = await openLoop(rate, STEP_SECONDS, (call) => calls[call % calls.length]!)
    const isWithinLimit = errors === 0 && p99 <= P99_LIMIT_MS
    console.log(`${rate.toFixed(0)} calls per second: p99 ${p99.toFixed(0)} ms, ${errors} errors`)
    if (isWithinLimit) highest = rate
    exceeded = isWithinLimit ? 0 : exceeded + 1
  }
  return highest
}
