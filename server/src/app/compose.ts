import { fileURLToPath } from 'node:url'
import { auditKeysOf } from './audit-keys.ts'
import type { Db } from '../db/schema.ts'
import type { App } from './build-app.ts'
import { awsOf, azureLabsOf, labServicesOf, azureSettingsOf, paymentsOf } from './providers.ts'
import { SERVER_MODULES } from '../../../apps/modules/server.ts'
import { type CallDependencies, handlersOf } from '../core/module.ts'
import { mailOf } from './mail.ts'
import type { Config, Secrets } from '../config.ts'
import { withConnection } from '../db/client.ts'
import { logoOf } from '../domain/people/organisation/logo.ts'
import { lmsOriginsOf, registrationOriginsOf } from '../domain/lab/lms/platform.ts'
import { followMachineChanges } from '../domain/lab/machine/watch.ts'
import { withPrivacyNotice } from '../domain/privacy/mail-notice.ts'
import { findBrowserToken } from '../domain/people/user/known-browser.ts'
import { SESSION_SECONDS } from '../domain/people/user/sessions.ts'
import { DiskState } from '../http/disk-state.ts'
import type { FoundSession } from '../http/authenticate.ts'
import type { ServerOptions } from '../http/server.ts'
import { SessionCache } from '../http/session-cache.ts'
import { serveUpgrades } from '../http/upgrades.ts'
import { rdpDesktops } from '../providers/ssh/desktops.ts'
import { accessProbe } from '../providers/ssh/access-probe.ts'
import { expiringCredentials } from '../providers/graph/expiring-credentials.ts'
import { sftpFiles } from '../providers/ssh/files.ts'
import { sshShells } from '../providers/ssh/shells.ts'
import { type GatewayDependencies, gatewaysOf } from '../remote/gateways/connect.ts'
import { dnsTextRecords } from '../providers/dns/text-records.ts'
import { ltiLms } from '../providers/lti/lms.ts'
import { webhookSender } from '../providers/webhook/webhooks.ts'
import { openId } from '../providers/openid/open-id.ts'
import type { AwsConnection } from '../providers/aws/clients.ts'
import type { AzureSettings } from '../providers/azure/clients.ts'
import type { GraphSettings } from '../providers/graph/wire.ts'
import { proofOf } from '../secrets/proof.ts'
import { databaseRateLimiter } from '../pacing/rate-limiter.ts'
import type { Meters } from '../telemetry/meters.ts'
import { instrumented, instrumentedRateLimiter } from '../telemetry/instrumented.ts'
import { jobQueueIn } from '../worker/jobs.ts'
import type { WorkerDependencies } from '../worker/parts.ts'

/**
 * Settings that only tests change and that no environment variable sets. All other wiring is the same as in production.
 */
export interface Overrides {
  readonly webDir?: string
  readonly onBug?: (bug: unknown) => void
  readonly logMessage?: (sentence: string) => void
  /** Multiplier of the deadlines of admission control, for tests on a loaded machine. */
  readonly deadlineFactor?: number
  /** Null for tests that change rows or the clock directly, and expect the effect at once. */
  readonly sessionCache?: SessionCache<FoundSession> | null
  readonly azure?: Partial<AzureSettings & GraphSettings>
  readonly aws?: Partial<AwsConnection>
}

/** Returns the parts of the API. Handlers receive no cloud provider: they only change the desired state. */
export function apiOf({ config, secrets, db, reserved, seal, meters }: App, overrides: Overrides = {}): ServerOptions {
  const connection = { connectionString: secrets.databaseUrl }
  const changes = followMachineChanges(connection)
  const sessions = overrides.sessionCache === undefined ? new SessionCache<FoundSession>() : overrides.sessionCache
  const sessionChanges = sessions?.follow(connection)
  const disk = new DiskState(config.database.kind === 'embedded' ? config.dataDir : null)
  const jobs = jobQueueIn(db)
  const payments = instrumentedOrNull('razorpay', paymentsOf(config, secrets), meters)
  let own: GatewayDependencies['own'] = null
  const gateways = gatewaysOf({ db, seal, own: (...args) => own?.(...args) ?? null })
  const routes = { proxy: config.remote.sshProxy, gateways }
  const connector = sftpFiles(routes)
  const lms = ltiLms({ ...config.lms, egress: secrets.egressProxy })
  const parts: CallDependencies = {
    seal,
    disk,
    jobs,
    changes,
    secondFactor: config.secondFactor,
    payments,
    openId: openId({ ...config.openId, egress: secrets.egressProxy }),
    lms,
    webhooks: webhookSender({ ...config.webhooks, egress: secrets.egressProxy }),
    dnsTexts: dnsTextRecords(config.dns),
    publicUrl: config.http.publicUrl,
    remotePage: config.remote.page,
    connector,
    azure: config.azure,
    aws: { ...config.aws, consoleUrl: consoleUrlOf(config.aws) },
    prove: (nonce) => proofOf(seal, payments === null ? null : secrets.razorpayWebhookSecret, nonce),
  }
  return {
    db,
    reserved,
    disk,
    sessions,
    handlers: handlersOf(SERVER_MODULES, parts),
    ...(overrides.deadlineFactor !== undefined && { deadlineFactor: overrides.deadlineFactor }),
    logger: { level: config.logLevel },
    meters,
    publicUrl: config.http.publicUrl,
    trustedProxies: config.http.trustedProxies,
    webDir: overrides.webDir ?? fileURLToPath(new URL('../../../web/dist', import.meta.url)),
    privacyNotice: config.http.privacyNotice,
    fingerprint: (text) => Buffer.from(seal.token('idempotency', text), 'base64url'),
    sessionSeconds: SESSION_SECONDS,
    secondFactor: config.secondFactor,
    idleMinutes: config.idleMinutes,
    rateLimitFactor: config.http.rateLimitFactor,
    browserOf: (cookie, email) => findBrowserToken(seal, cookie, email)?.nonce ?? null,
    logoOf: (digest) => logoOf(db, digest),
    lmsOriginsOf: (platform) => lmsOriginsOf(db, platform),
    registrationOriginsOf: (registration) => registrationOriginsOf(db, lms, registration),
    checkout: payments?.checkout ?? null,
    mountRoutes(server, shared) {
      const upgrades = serveUpgrades(server, shared.callers)
      for (const module of SERVER_MODULES)
        module.routes?.(server, {
          ...parts,
          ...shared,
          db,
          rateLimitFactor: config.http.rateLimitFactor,
          upgrades,
          peerUrl: config.remote.peerUrl,
          shells: sshShells(routes),
          desktops: rdpDesktops(routes),
          onAgents: (open) => void (own = open),
          onBug: overrides.onBug ?? ((bug: unknown) => server.log.error({ err: bug }, 'a bug at the terminals')),
        })
    },
    async close() {
      await Promise.all([changes.close(), sessionChanges?.close(), jobs.stop()])
      await Promise.all([db.destroy(), reserved.destroy()])
    },
  }
}

const dailyBackup =
  ({ dataDir, backups }: Config, { keys }: Secrets) =>
  async () => {
    const { backUpDaily } = await import('../db/embedded/backup/daily.ts')
    await backUpDaily({ dataDir, ...backups, keys: keys.map(({ id }) => id) }, new Date())
  }

const instrumentedOrNull = <Port extends object>(
  provider: string,
  port: Port | null,
  meters: Meters | null,
): Port | null => (port === null ? null : instrumented(provider, port, meters))

function auditArchiveOf({ audit }: Config, { ownerUrl }: Secrets): WorkerDependencies['auditArchive'] {
  const { retentionDays: days, archiveDir: folder } = audit
  return days === null || ownerUrl === null ? null : { folder, days, withOwner: ownerOf(ownerUrl) }
}

/** Opens a connection as the database's owner for one piece of work. */
const ownerOf =
  (ownerUrl: string) =>
  <T>(callback: (owner: Db) => Promise<T>): Promise<T> =>
    withConnection({ connectionString: ownerUrl }, { size: 2, as: 'owner' }, callback)

const consoleUrlOf =
  ({ consoleUrl }: Config['aws']) =>
  (account: string): string =>
    consoleUrl.replace('{account}', account)

export async function workerOf(app: App, overrides: Overrides = {}): Promise<WorkerDependencies> {
  const { config, secrets, db, seal, meters } = app
  const [{ azureCloud }, { azureMetrics }, { graphDiagnosis }, { default: pino }] = await Promise.all([
    import('../providers/azure/cloud.ts'),
    import('../providers/azure/metrics.ts'),
    import('../providers/graph/diagnose.ts'),
    import('pino'),
  ])
  const log = pino({ level: config.logLevel })
  const { azure } = config
  const settings: AzureSettings & GraphSettings = {
    ...(await azureSettingsOf(config, secrets)),
    log: (call) => log.debug(call, 'azure answered'),
    ...(azure.isThrottled
      ? { rateLimiter: instrumentedRateLimiter(databaseRateLimiter(db, azure.subscriptionId), meters) }
      : {}),
    ...overrides.azure,
  }
  const sender = await mailOf(config, secrets, settings)
  const mail = withPrivacyNotice(instrumented('mail', sender.mail, meters), db, config.http.publicUrl)
  // Azure Monitor has its own hosts and rate limits.
  const metricsSettings = {
    ...settings,
    ...(azure.isThrottled
      ? { gate: instrumentedRateLimiter(databaseRateLimiter(db, `${azure.subscriptionId} metrics`), meters) }
      : {}),
  }
  const cloud = instrumented('azure', azureCloud(settings), meters)
  const routes = { proxy: config.remote.sshProxy, gateways: gatewaysOf({ db, seal, own: null }) }
  const labs = await azureLabsOf(settings, config)
  const gauges = SERVER_MODULES.flatMap((module) => module.gauges ?? [])
  meters?.watchState(Object.assign({}, ...gauges.map(({ descriptions }) => descriptions)), async () =>
    (await Promise.all(gauges.map((each) => each.read(db)))).flat(),
  )
  return {
    db,
    seal,
    connection: { connectionString: secrets.databaseUrl },
    meters,
    payments: instrumentedOrNull('razorpay', paymentsOf(config, secrets), meters),
    webhooks: instrumented('webhook', webhookSender({ ...config.webhooks, egress: secrets.egressProxy }), meters),
    cloud,
    egress: config.remote.egress,
    metrics: instrumented('azure', azureMetrics(metricsSettings), meters),
    jobQueue: jobQueueIn(db),
    lms: instrumented('lms', ltiLms({ ...config.lms, egress: secrets.egressProxy }), meters),
    publicUrl: config.http.publicUrl,
    mail,
    aws: instrumentedOrNull('aws', await awsOf(config, secrets, overrides.aws), meters),
    azureLabs: {
      identity: instrumented('graph', labs.identity, meters),
      groups: instrumented('azure sandboxes', labs.groups, meters),
    },
    connectLabServices: await labServicesOf(config, settings),
    shells: instrumented('ssh', sshShells(routes), meters),
    accessProbe: instrumented('ssh', accessProbe(routes), meters),
    findExpiring: (signal) =>
      expiringCredentials(graphDiagnosis(settings), azure.clientId, secrets.azureCredential, signal),
    auditKey: auditKeysOf(config, secrets).makeKey,
    auditArchive: auditArchiveOf(config, secrets),
    withOwner: secrets.ownerUrl === null ? null : ownerOf(secrets.ownerUrl),
    backUp: config.database.kind === 'embedded' && config.backups.keep > 0 ? dailyBackup(config, secrets) : null,
    isMailUp: sender.isUp,
    onBug: overrides.onBug ?? ((bug) => log.error({ err: bug }, 'a bug in the background')),
    logMessage: overrides.logMessage ?? ((sentence) => log.warn(sentence)),
  }
}
