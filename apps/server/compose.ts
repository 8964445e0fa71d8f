import { fileURLToPath } from 'node:url'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import {
  type CallDependencies,
  type Connecting,
  handlersOf,
  type Overrides as ConnectionOverrides,
} from '@trainyard/platform/server/core/module.ts'
import { reportOutagesOnce } from '@trainyard/platform/server/db/await-database.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { findBrowserToken } from '@trainyard/users/server/known-browser.ts'
import { SESSION_SECONDS } from '@trainyard/users/server/sessions.ts'
import { diagnose } from '@trainyard/platform/server/doctor/diagnose.ts'
import { withoutSecrets } from '@trainyard/platform/server/doctor/doctor.ts'
import { DiskState } from '@trainyard/platform/server/http/disk-state.ts'
import type { ServerOptions } from '@trainyard/platform/server/http/server.ts'
import { serveUpgrades } from '@trainyard/platform/server/http/upgrades.ts'
import { proofOf } from '@trainyard/platform/server/run/secrets/proof.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import type { WorkerDependencies } from '@trainyard/platform/server/run/parts.ts'
import type { App } from './build-app.ts'
import type { Mail } from '@trainyard/platform/server/mail/mail.ts'
import { mailOf } from './mail.ts'

/**
 * Settings that only tests change and that no environment variable sets. All other wiring is the same as in production.
 */
export interface Overrides extends ConnectionOverrides {
  readonly webDir?: string
  readonly onBug?: (bug: unknown) => void
  readonly logMessage?: (sentence: string) => void
  /** Multiplier of the deadlines of admission control, for tests on a loaded machine. */
  readonly deadlineFactor?: number
}

/** Returns the parts of the API. Handlers receive no cloud provider: they only change the desired state. */
export function apiOf(app: App, overrides: Overrides = {}): ServerOptions {
  const { config, secrets, db, reserved, seal, meters } = app
  const disk = new DiskState(config.database.kind === 'embedded' ? config.dataDir : null)
  const jobs = jobQueueIn(db)
  const closes: (() => Promise<void>)[] = []
  const closing = new AbortController()
  const from = connectingOf(app, { overrides, logCall: () => {}, onClose: (close) => void closes.push(close) })
  const parts = {
    seal,
    disk,
    unset: config.unset,
    jobs,
    secondFactor: config.secondFactor,
    publicUrl: config.http.publicUrl,
    prove: (nonce: string) => proofOf(seal, secrets.proving, nonce),
  } satisfies Partial<CallDependencies> as unknown as CallDependencies
  for (const module of SERVER_MODULES) Object.assign(parts, module.connectCalls?.(from, parts))
  return {
    db,
    reserved,
    disk,
    handlers: handlersOf(SERVER_MODULES, parts),
    ...(overrides.deadlineFactor !== undefined && { deadlineFactor: overrides.deadlineFactor }),
    logger: { level: config.logLevel },
    meters,
    publicUrl: config.http.publicUrl,
    trustedProxies: config.http.trustedProxies,
    webDir: overrides.webDir ?? fileURLToPath(new URL('../web/dist', import.meta.url)),
    privacyNotice: config.http.privacyNotice,
    securityContact: config.http.securityContact,
    fingerprint: (text) => Buffer.from(seal.token('idempotency', text), 'base64url'),
    sessionSeconds: SESSION_SECONDS,
    secondFactor: config.secondFactor,
    idleMinutes: config.idleMinutes,
    rateLimitFactor: config.http.rateLimitFactor,
    browserOf: (cookie, email) => findBrowserToken(seal, cookie, email)?.nonce ?? null,
    checkout: parts.payments?.checkout ?? null,
    mountRoutes(server, shared) {
      const upgrades = serveUpgrades(server, shared.callers)
      for (const module of SERVER_MODULES)
        module.routes?.(server, {
          ...parts,
          ...shared,
          db,
          rateLimitFactor: config.http.rateLimitFactor,
          upgrades,
          // Remote sessions end also while an upgrade stops changes.
          onBug: reportOutagesOnce(
            db,
            { logMessage: (sentence) => server.log.warn(sentence), signal: closing.signal },
            overrides.onBug ?? ((bug: unknown) => server.log.error({ err: bug }, 'a bug at the terminals')),
          ),
        })
    },
    async close() {
      closing.abort()
      await Promise.all([...closes.map((close) => close()), jobs.stop()])
      await Promise.all([db.destroy(), reserved.destroy()])
    },
  }
}

const connectingOf = (
  { config, secrets, db, seal, meters }: App,
  rest: Pick<Connecting, 'overrides' | 'logCall' | 'onClose'>,
): Connecting => ({ config, secrets, db, seal, meters, ...rest })

/** Returns the automatic backups of the worker, and the test of their restore. */
function backupsOf(config: Config, secrets: Secrets): Pick<WorkerDependencies, 'backUp' | 'verifyRestore'> {
  const { backups } = config
  if (backups.keep === 0 || (backups.folder === null && backups.s3 === null)) return {}
  return {
    backUp: async () => (await import('./start/automatic-backups.ts')).backUpDaily(config, secrets),
    verifyRestore:
      secrets.ownerUrl === null
        ? null
        : async () => (await import('./start/automatic-backups.ts')).verifyRestore(config, secrets),
  }
}

/** Opens a connection as the database's owner for one piece of work. */
const ownerOf =
  (ownerUrl: string) =>
  <T>(callback: (owner: Db) => Promise<T>): Promise<T> =>
    withConnection({ connectionString: ownerUrl }, { size: 2, as: 'owner' }, callback)

export async function workerOf(app: App, overrides: Overrides = {}): Promise<WorkerDependencies> {
  const { config, secrets, db, seal, meters } = app
  const { default: pino } = await import('pino')
  const log = pino({ level: config.logLevel })
  const gauges = SERVER_MODULES.flatMap((module) => module.gauges ?? [])
  meters?.watchState(Object.assign({}, ...gauges.map(({ descriptions }) => descriptions)), async () =>
    (await Promise.all(gauges.map((each) => each.read(db)))).flat(),
  )
  const from = connectingOf(app, {
    overrides,
    logCall: (call, message) => log.debug(call, message),
    onClose: () => {},
  })
  const parts = {
    db,
    seal,
    connection: { connectionString: secrets.databaseUrl },
    meters,
    jobQueue: jobQueueIn(db),
    publicUrl: config.http.publicUrl,
    withOwner: secrets.ownerUrl === null ? null : ownerOf(secrets.ownerUrl),
    ...backupsOf(config, secrets),
    diagnose: async (isChosen) => {
      const { doctorOf } = await import('./doctor.ts')
      return diagnose(await doctorOf(config, secrets, { connections: 2 }), isChosen)
    },
    hideSecrets: (text) => withoutSecrets(text, secrets.texts),
    onBug: overrides.onBug ?? ((bug) => log.error({ err: bug }, 'a bug in the background')),
    logMessage: overrides.logMessage ?? ((sentence) => log.warn(sentence)),
  } satisfies Partial<WorkerDependencies> as unknown as WorkerDependencies
  // In the order of the modules, because some use the connections of earlier ones.
  for (const module of SERVER_MODULES) Object.assign(parts, await module.connectWorker?.(from, parts))
  const { mail, isUp } = await mailOf(config, secrets, parts.entra ?? null)
  return {
    ...parts,
    mail: SERVER_MODULES.reduce<Mail>(
      (sender, module) => module.mail?.(sender, from) ?? sender,
      instrumented('mail', mail, meters),
    ),
    isMailUp: config.unset.includes('mail') ? null : isUp,
  }
}
