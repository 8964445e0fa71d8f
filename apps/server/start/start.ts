import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { explainDatabaseErrors } from '@trainyard/platform/server/db/no-database.ts'
import { bundleOf } from './bundle.ts'
import { emulatorSpeed } from './emulator-speed.ts'
import { isUp } from './health.ts'
import type { Part } from './part.ts'
import type { RequiredPort } from './ports.ts'
import { type Plan, type LogMessage, supervise } from './supervise.ts'
import { buildWebIfNeeded, webIsBuilt } from './web-build.ts'
import { DATABASE_URL_HINT } from './with-database.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs the whole portal until a signal (`npm start`; with `develop`, `npm run dev`). Returns the exit code. */
export async function start(config: Config, secrets: Secrets, develop: boolean): Promise<number> {
  const reported: string[] = []
  return supervise({
    dataDir: config.dataDir,
    embedded: config.database.kind === 'embedded',
    ports: portsOf(config, develop),
    async prepare({ logMessage }) {
      const prepared = prepareDatabase(config, secrets, logMessage)
      await Promise.all([prepared, develop ? undefined : buildWeb(logMessage)])
      reported.push(...(await prepared))
    },
    parts: partsOf(config, develop),
    isUp: () => isUp(config.http),
    ready: () => lines(config, develop, reported),
    ...(develop ? { watch: (await import('./watch.ts')).restartOnChange } : {}),
  } satisfies Plan)
}

/** Returns lines for the terminal that the modules report. */
async function prepareDatabase(config: Config, secrets: Secrets, logMessage: LogMessage): Promise<string[]> {
  const [{ SERVER_MODULES }, { migrateDatabase, checkKeys }] = await Promise.all([
    import('@trainyard/modules/server.ts'),
    import('./migrate-database.ts'),
  ])
  const migrating = () => migrateDatabase(secrets)
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
    ...(metrics === null
      ? []
      : [0, 1].map((offset) => ({
          setting: 'METRICS_PORT',
          ...metrics,
          port: metrics.port + offset,
        }))),
    ...(develop ? [{ setting: 'PORT', host: local, port: vitePort }] : []),
  ]
}

const webhookAddress = ({ host, port }: Config['http']): string =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}/api/payments/webhook`

function partsOf({ dataDir, emulator, http, metrics, payments, vitePort }: Config, develop: boolean): Part[] {
  // Processes in development must run changed sources. Others start faster without a search for the bundle.
  const [server, emulatorMain] = [
    (develop ? null : bundleOf(root, 'server')) ?? `${root}apps/server/main.ts`,
    (develop ? null : bundleOf(root, 'emulator')) ?? `${root}apps/emulator/main.ts`,
  ]
  const sourceFolders = ['apps', 'platform', 'core', 'addons'].map((folder) => root + folder)
  return [
    ...(emulator.needed
      ? [
          {
            name: 'emulator',
            script: [emulatorMain],
            env: {
              EMULATOR_DATA: join(dataDir, 'emulator'),
              EMULATOR_PORT: String(emulator.port),
              EMULATOR_SMTP_PORT: String(emulator.smtpPort),
              EMULATOR_LATENCY: String(emulator.latency),
              EMULATOR_WORLD: emulator.world ?? '',
              EMULATOR_WEBHOOK_URL: payments?.emulated ? webhookAddress(http) : '',
            },
            watch: sourceFolders,
          } satisfies Part,
        ]
      : []),
    { name: 'api', script: [server, 'api'], waits: true, watch: sourceFolders },
    {
      name: 'worker',
      script: [server, 'worker'],
      waits: true,
      watch: sourceFolders,
      ...(metrics && { env: { METRICS_PORT: String(metrics.port + 1) } }),
    },
    ...(develop
      ? [
          {
            name: 'vite',
            script: [`${root}node_modules/vite/bin/vite.js`, '--port', String(vitePort), '--strictPort'],
            cwd: `${root}apps/web`,
            env: { TRAINYARD_API: `http://127.0.0.1:${http.port}` },
          } satisfies Part,
        ]
      : []),
  ]
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

function lines(config: Config, develop: boolean, reported: readonly string[]): string[] {
  const relativeFolder = relative(process.cwd(), config.dataDir)
  const address = develop ? `http://127.0.0.1:${config.vitePort}` : config.http.publicUrl
  return [
    `Trainyard is ready: ${address}`,
    ...reported.map((line) => `  ${line}`),
    ...(config.emulator.needed ? [`  ${emulatorSpeed(config.emulator.latency)}`] : []),
    ...(config.mail.emulated ? [`  E-mails are not delivered. Read them at ${config.emulator.url}/`] : []),
    `  Data folder: ${relativeFolder.startsWith('..') ? config.dataDir : relativeFolder}. Press Ctrl-C to stop.`,
  ]
}
