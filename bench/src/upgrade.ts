import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '@trainyard/server/src/config.ts'
import { startEmbedded } from '@trainyard/server/src/db/embedded/start-embedded.ts'
import { hashPassword } from '@trainyard/server/src/domain/people/user/passwords.ts'
import { freePort } from '@trainyard/server/test/ports.ts'
import { table } from './figures.ts'
import { mixOf } from './load/mix.ts'
import { type BenchCall, closeConnections, openLoop, type Step } from './load/open-loop.ts'

/** Measures failed and slow calls of an API of an earlier commit while the current program migrates its database. */
const { values: options } = parseArgs({
  options: {
    from: { type: 'string' },
    busy: { type: 'string', default: '200' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
  },
})
const [BUSY, RATE, SECONDS] = [Number(options.busy), Number(options.rate), Number(options.seconds)]
const LONGEST_MS = 2_000
const PASSWORD = 'a-Bench-password-1'
const ORGANISATIONS_CALLED = Math.min(4, BUSY)

const root = fileURLToPath(new URL('../../', import.meta.url))
const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
const newestMigration = () => git('log', '-1', '--format=%h', '--diff-filter=A', '--', 'server/src/db/migrations')
const oldVersion = git('rev-parse', '--short', options.from ?? `${newestMigration()}~`)
const folder = mkdtempSync(join(tmpdir(), 'trainyard-upgrade-'))
chmodSync(folder, 0o755)
const [before, dataDir] = [join(folder, 'before'), join(folder, 'data')]
const running: ChildProcess[] = []
try {
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, before])
  execFileSync('git', ['-C', before, 'checkout', '--quiet', oldVersion])
  execFileSync('npm', ['ci', '--silent', '--prefer-offline'], { cwd: before, stdio: 'inherit' })
  const fill = `import { seed } from './bench/src/seed/fill.ts'
    await seed(process.argv[1], { organisations: ${BUSY}, busy: ${BUSY} }, console.log)`
  execFileSync(process.execPath, ['--input-type=module', '--eval', fill, dataDir], { cwd: before, stdio: 'inherit' })

  const embedded = await startEmbedded(dataDir)
  try {
    const { secrets } = readConfig({ TRAINYARD_DATA: dataDir })
    await setPasswords(embedded.url)
    const old = await startApi(before)
    const calls = await mixOf(
      { url: old, databaseUrl: secrets.databaseUrl, session: signIn(old) },
      ORGANISATIONS_CALLED,
    )
    const rows: string[][] = []
    let failed = false
    const measure = async (
      label: string,
      urls: readonly string[],
      until: Promise<unknown> | null,
      limit = Infinity,
    ) => {
      const steps: Step[] = []
      // Prevents an unhandled rejection. The error is thrown where the promise is awaited.
      until?.catch(() => {})
      const continues = async () => (await Promise.race([until?.then(() => 'over'), pause(0, 'on')])) === 'on'
      do steps.push(await openLoop(RATE, until === null ? SECONDS : 1, mixTo(urls)))
      while (await continues())
      const sum = (valueOf: (step: Step) => number) => steps.reduce((total, step) => total + valueOf(step), 0)
      const [errors, longestMs] = [sum((step) => step.errors), Math.max(...steps.map((step) => step.longestMs))]
      failed ||= errors > 0 || longestMs > limit
      rows.push([label, `${sum(({ sent }) => sent)}`, `${errors}`, longestMs.toFixed(0)])
      console.log(rows.at(-1)!.join('  '))
    }
    const mixTo = (urls: readonly string[]) => (call: number) => {
      const template: BenchCall = calls[Math.floor(call / urls.length) % calls.length]!
      return { ...template, url: template.url.replace(old, urls[call % urls.length]!) }
    }

    await measure(`API of ${oldVersion} alone`, [old], null)
    const startedAt = performance.now()
    await measure('during the migration', [old], run(['migrate']), LONGEST_MS)
    console.log(`The migration took ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, rounded up to a second.`)
    await measure('old API after the migration', [old], null)
    const now = await startApi(root)
    await measure('both APIs', [old, now], null)
    running[0]!.kill('SIGTERM')
    await measure('new API while the old one stops', [now], null)
    console.log(table(['', 'sent', 'errors', 'longest ms'], rows))
    console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)
    if (failed) process.exitCode = 1
  } finally {
    await closeConnections()
    for (const child of running) await stopProcess(child)
    await embedded.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function setPasswords(ownerUrl: string): Promise<void> {
  const db = new pg.Client({ connectionString: ownerUrl })
  await db.connect()
  await db.query('update portal_user set password_hash = $1', [await hashPassword(PASSWORD)])
  await db.end()
}

function signIn(url: string): (email: string) => Promise<string> {
  return async (email) => {
    const reply = await fetch(`${url}/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    if (!reply.ok) throw new Error(`${email} could not sign in: ${await reply.text()}`)
    return ((await reply.json()) as { uid: string }).uid
  }
}

async function startApi(cwd: string): Promise<string> {
  const port = await freePort()
  const child = start(cwd, ['api'], { PORT: String(port) })
  running.push(child)
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt++) {
    const health = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null)
    if (health !== null) return `http://127.0.0.1:${port}/api`
    await pause(100)
  }
  throw new Error(`The API of ${cwd} did not start.`)
}

function start(
  cwd: string,
  args: readonly string[],
  extraEnvironment: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, ['server/src/main.ts', ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TRAINYARD_DATA: dataDir,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_FACTOR: '100000',
      ...extraEnvironment,
    },
  })
}

async function run(args: readonly string[]): Promise<void> {
  const child = start(root, args)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`)
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}
