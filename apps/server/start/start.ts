import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EmulatorOptions } from '@trainyard/platform/emulator/emulator.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { refuseNewerTables, reportOutagesOnce, type Waiting } from '@trainyard/platform/server/db/await-database.ts'
import { type Embedded, startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { explainDatabaseErrors } from '@trainyard/platform/server/db/no-database.ts'
import { DataInUse, lockFolder } from '@trainyard/platform/server/run/files/folder-lock.ts'
import { restrictDataFolder } from '@trainyard/platform/server/run/files/private-folder.ts'
import { emulatorSpeed } from './emulator-speed.ts'
import { messageOf } from './error-message.ts'
import { assertFree, type RequiredPort } from './ports.ts'
import { buildWebIfNeeded, webIsBuilt } from './web-build.ts'
import { DATABASE_URL_HINT } from './with-database.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type LogMessage = (sentence: string) => void
type Stop = () => Promise<unknown>

/** Milliseconds for the parts to end. With PostgreSQL, everything ends within 5 s of Ctrl-C. */
const PATIENCE = 2_500

/**
 * Runs API, worker, emulator and PostgreSQL until a signal (`npm start`; with `develop`, `npm run dev`).
 * @returns exit code: 0 when stopped, 1 when it could not start
 */
export async function start(config: Config, secrets: Secrets, develop: boolean): Promise<number> {
  const logMessage: LogMessage = (sentence) => process.stdout.write(`${sentence}\n`)
  const stop = stopSignal()
  const stops: Stop[] = []
  let database: Embedded | null = null
  try {
    // The code is loaded, and the web app is built, while PostgreSQL starts.
    const loading = loadParts()
    const emulator = import('@trainyard/modules/emulator.ts')
    for (const each of [loading, emulator]) each.catch(() => undefined)
    const built = develop ? null : buildWeb(logMessage)
    const stage = async <Result>(done: string, work: () => Promise<Result>): Promise<Result> => {
      const begun = performance.now()
      const result = await work()
      if (!stop.aborted) logMessage(`${done} in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
      return result
    }
    if (config.database.kind === 'embedded') {
      database = await stage('PostgreSQL started', () => startEmbedded(config.dataDir, {}, 'portal', logMessage))
      if (database.elsewhere) logMessage(database.elsewhere)
    } else {
      restrictDataFolder(config.dataDir, null)
      await lockFolder(config.dataDir, 'portal')
    }
    await assertFree(portsOf(config, develop))
    await built
    // From here on, because other users may serve the web app.
    process.umask(0o077)
    // Demo data is created at the emulator too.
    if (config.emulator.needed) stops.push((await (await emulator).startEmulator(emulatorOptions(config))).stop)
    const reported = await stage('Data prepared', () => prepareDatabase(config, secrets, logMessage))
    const parts = await loading
    const upgraded: Promise<void>[] = []
    if (!stop.aborted)
      await stage('Portal started', () =>
        startParts(parts, { config, secrets, waiting: { logMessage, signal: stop }, stops, upgraded }),
      )
    if (!stop.aborted && develop) stops.push(await serveSources(config))
    if (!stop.aborted) for (const line of lines(config, develop, reported)) logMessage(line)
    while (!stop.aborted) {
      await Promise.race([aborted(stop), ...upgraded, ...(database === null ? [] : [database.lost])])
      if (!stop.aborted && database !== null) database = await restartDatabase(config.dataDir, stop, logMessage)
    }
    logMessage('Stopping ...')
    return 0
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return 1
  } finally {
    await Promise.race([Promise.allSettled(stops.map((each) => each())), pause(PATIENCE)])
    await database?.stop()
  }
}

interface Starting {
  readonly config: Config
  readonly secrets: Secrets
  readonly waiting: Waiting
  /** Receives what ends each started part. */
  readonly stops: Stop[]
  /** Receives a promise that is rejected when an upgrade has replaced the tables of this version. */
  readonly upgraded: Promise<void>[]
}

async function loadParts() {
  const [{ buildApp }, { apiOf, workerOf }, { startApi }, { startWorker }, { startMeters }, modules] =
    await Promise.all([
      import('../build-app.ts'),
      import('../compose.ts'),
      import('../api.ts'),
      import('../worker.ts'),
      import('@trainyard/platform/server/run/telemetry/start-meters.ts'),
      import('@trainyard/modules/server.ts'),
    ])
  for (const { load } of modules.SERVER_MODULES) await load?.()
  return { buildApp, apiOf, workerOf, startApi, startWorker, startMeters }
}

/** Starts API and worker. */
async function startParts(
  { startMeters, buildApp, apiOf, startApi, workerOf, startWorker }: Awaited<ReturnType<typeof loadParts>>,
  { config, secrets, waiting, stops, upgraded }: Starting,
): Promise<void> {
  const meters = await startMeters(config.metrics)
  const api = await startApi(apiOf(buildApp(config, secrets, meters)), config.http)
  stops.push(api.stop)
  const parts = await workerOf(buildApp(config, secrets, meters, 'worker'))
  const worker = await startWorker({ ...parts, onBug: reportOutagesOnce(parts.db, waiting, parts.onBug) })
  stops.push(async () => {
    await worker.stop()
    await parts.db.destroy()
  })
  if (config.database.kind === 'server') upgraded.push(refuseNewerTables(parts.db, waiting.signal))
}

/** Returns lines for the terminal that the modules report. */
async function prepareDatabase(config: Config, secrets: Secrets, logMessage: LogMessage): Promise<string[]> {
  const [{ SERVER_MODULES }, { checkKeys }, { prepareForStart }] = await Promise.all([
    import('@trainyard/modules/server.ts'),
    import('./migrate-database.ts'),
    import('./upgrade.ts'),
  ])
  const migrating = () => prepareForStart(config, secrets, logMessage)
  await (config.database.kind === 'server' ? explainDatabaseErrors(DATABASE_URL_HINT, migrating) : migrating())
  await checkKeys(config, secrets, logMessage)
  const lines: string[] = []
  for (const { prepareStart } of SERVER_MODULES) lines.push(...((await prepareStart?.(config, secrets)) ?? []))
  return lines
}

function portsOf({ http, emulator, metrics, vitePort }: Config, develop: boolean): RequiredPort[] {
  const local = '127.0.0.1'
  return [
    { setting: 'PORT', host: http.host, port: http.port },
    ...(emulator.needed
      ? [
          { setting: 'EMULATOR_PORT', host: local, port: emulator.port },
          { setting: 'EMULATOR_SMTP_PORT', host: local, port: emulator.smtpPort },
        ]
      : []),
    ...(metrics === null ? [] : [{ setting: 'METRICS_PORT', ...metrics }]),
    ...(develop ? [{ setting: 'PORT', host: local, port: vitePort }] : []),
  ]
}

const webhookAddress = ({ host, port }: Config['http']): string =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}/api/payments/webhook`

const emulatorOptions = ({ dataDir, emulator, http, payments }: Config): EmulatorOptions => ({
  dataDir: join(dataDir, 'emulator'),
  port: emulator.port,
  smtpPort: emulator.smtpPort,
  latency: emulator.latency,
  ...(emulator.world && { world: emulator.world }),
  ...(payments?.emulated && { webhookUrl: webhookAddress(http) }),
})

/** Serves the web app from its sources. Returns a function that ends this. */
async function serveSources({ http, vitePort }: Config): Promise<Stop> {
  process.env['TRAINYARD_API'] = `http://127.0.0.1:${http.port}`
  const { createServer } = await import('vite')
  const web = `${root}apps/web`
  const vite = await createServer({
    configFile: `${web}/vite.config.ts`,
    // Another loader writes a file that `node --watch` takes for a change.
    configLoader: 'native',
    server: { port: vitePort, strictPort: true },
  })
  await vite.listen()
  return () => vite.close()
}

/** A failure is not fatal: the API works, and a previous build is served if there is one. */
async function buildWeb(logMessage: LogMessage): Promise<void> {
  try {
    await buildWebIfNeeded(root, () => logMessage('Building the web app ...'))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const remaining = webIsBuilt(root)
      ? 'The previous build is served.'
      : 'There is no previous build; only the API is available.'
    logMessage(`The web app could not be built. ${remaining} Output of the build:\n${message}`)
  }
}

async function restartDatabase(dataDir: string, stop: AbortSignal, logMessage: LogMessage): Promise<Embedded | null> {
  logMessage('PostgreSQL ended unexpectedly. Restarting it.')
  for (let wait = 100; !stop.aborted; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await startEmbedded(dataDir, {}, 'portal', logMessage)
    } catch (error) {
      if (error instanceof DataInUse) throw error
      logMessage(messageOf(error))
      await Promise.race([pause(wait, undefined, { ref: false }), aborted(stop)])
    }
  }
  return null
}

/** Returns a signal that aborts when the process receives a signal to end. */
function stopSignal(): AbortSignal {
  const control = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => control.abort())
  return control.signal
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function lines(config: Config, develop: boolean, reported: readonly string[]): string[] {
  const relativeFolder = relative(process.cwd(), config.dataDir)
  const address = develop ? `http://127.0.0.1:${config.vitePort}` : config.http.publicUrl
  return [
    `Trainyard is ready: ${address}`,
    ...reported.map((line) => `  ${line}`),
    ...(config.emulator.needed && config.lxd === null ? [`  ${emulatorSpeed(config.emulator.latency)}`] : []),
    ...(config.mail.emulated ? [`  E-mails are not delivered. Read them at ${config.emulator.url}/`] : []),
    `  Data folder: ${relativeFolder.startsWith('..') ? config.dataDir : relativeFolder}. Press Ctrl-C to stop.`,
  ]
}
