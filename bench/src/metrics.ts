import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@trainyard/server/src/config.ts'
import { connect } from '@trainyard/server/src/db/client.ts'
import { startEmbedded } from '@trainyard/server/src/db/embedded/start-embedded.ts'
import { migrateDatabase } from '@trainyard/server/src/start/migrate-database.ts'
import { freePort } from '@trainyard/server/test/ports.ts'
import { median, table } from './figures.ts'
import { sessionOf } from '@trainyard/server/test/session-of.ts'

/** Measures the cost of METRICS_PORT: two APIs on one database in alternating rounds, one with metrics. */
const ROUNDS = 20
const CALLS = 300
const AT_ONCE = 8
const LEAST_RATIO = 0.95

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
const database = await startEmbedded(folder)
const apis: ChildProcess[] = []
try {
  const { secrets } = readConfig({ TRAINYARD_DATA: folder })
  await migrateDatabase(secrets)
  const db = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  await db
    .insertInto('portal_user')
    .values({ email: 'root@bench.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .execute()
  const token = await sessionOf(db, 'root@bench.test')
  await db.destroy()

  const metricsPort = await freePort()
  const withoutFigures = await api({})
  const withFigures = await api({ METRICS_PORT: String(metricsPort) })
  const rates: Record<'without' | 'with', number[]> = { without: [], with: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const variants = [['without', withoutFigures] as const, ['with', withFigures] as const]
    for (const [name, url] of round % 2 === 0 ? variants : variants.toReversed())
      rates[name].push(await rate(url, token))
    await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  }
  const ratio = median(rates.with.map((each, round) => each / rates.without[round]!))
  const rows = Object.entries(rates).map(([name, each]) => [`${name} METRICS_PORT`, median(each).toFixed(0)])
  console.log(table(['an API', 'calls per second, median'], rows))
  console.log(
    `Ratio with to without, median of ${ROUNDS} alternating rounds: ${ratio.toFixed(3)}; minimum ${LEAST_RATIO}.`,
  )
  console.log(`Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores.`)
  if (ratio < LEAST_RATIO) process.exitCode = 1
} finally {
  for (const child of apis) child.kill('SIGKILL')
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function api(extraEnvironment: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort()
  apis.push(
    spawn(process.execPath, ['server/src/main.ts', 'api'], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...extraEnvironment,
        TRAINYARD_DATA: folder,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        RATE_LIMIT_FACTOR: '100000',
      },
    }),
  )
  const url = `http://127.0.0.1:${port}/api`
  while ((await fetch(`${url}/health`).catch(() => null)) === null) await pause(50)
  return url
}

async function rate(url: string, token: string): Promise<number> {
  const startedAt = performance.now()
  let callsLeft = CALLS
  const caller = async () => {
    while (callsLeft-- > 0) {
      const reply = await fetch(`${url}/user/me`, { headers: { authorization: `Bearer ${token}` } })
      if (!reply.ok) throw new Error(`Status ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  return CALLS / ((performance.now() - startedAt) / 1_000)
}
