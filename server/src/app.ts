import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { callHandlers } from './calls.ts'
import type { Config, Secrets } from './config.ts'
import { connect } from './db/client.ts'
import type { Db } from './db/schema.ts'
import { awsChecks } from './doctor/aws.ts'
import { azureChecks } from './doctor/azure.ts'
import { databaseChecks } from './doctor/database.ts'
import type { Doctor } from './doctor/doctor.ts'
import { embeddedForAWhile } from './doctor/embedded.ts'
import { emulatorCheck } from './doctor/emulator.ts'
import { graphChecks } from './doctor/graph.ts'
import { publicUrlChecks } from './doctor/public-url.ts'
import { razorpayChecks } from './doctor/razorpay.ts'
import { readOnly, secretTexts } from './doctor/settings.ts'
import { smtpCheck } from './doctor/smtp.ts'
import { templatesAsked } from './doctor/templates.ts'
import { followMachineChanges } from './domain/machine/changes.ts'
import { captureImage } from './domain/image/jobs.ts'
import { inviteAwsUser, inviteAzureUser } from './domain/sandbox/jobs.ts'
import { mailboxOf } from './domain/sandbox/lab-users.ts'
import { sendForgotten } from './domain/user/forgotten.ts'
import { sendFactorNotice } from './domain/second-factor/notice.ts'
import { relyingPartyOf } from './domain/second-factor/relying-party.ts'
import { sendInvitation } from './domain/user/jobs.ts'
import { tellPasswordChanged } from './domain/user/password-changed.ts'
import { knownBrowser } from './domain/user/known-browser.ts'
import { SESSION_SECONDS } from './domain/user/sessions.ts'
import type { ServerOptions } from './http/server.ts'
import { sshShells } from './providers/ssh/shells.ts'
import { serveRemote } from './remote/gateway.ts'
import { dnsTextRecords } from './providers/dns/text-records.ts'
import { openId } from './providers/openid/open-id.ts'
import type { Payments } from './providers/payments.ts'
import { razorpayDiagnosis } from './providers/razorpay/diagnose.ts'
import { razorpayPayments } from './providers/razorpay/payments.ts'
import type { AwsUsers } from './providers/aws-users.ts'
import type { AwsConnection } from './providers/aws/clients.ts'
import type { AzureSettings } from './providers/azure/clients.ts'
import type { GraphSettings } from './providers/graph/wire.ts'
import type { Live } from './live/live.ts'
import type { LiveOptions } from './live/options.ts'
import { proofOf } from './secrets/proof.ts'
import { makeSeal, type Seal } from './secrets/seal.ts'
import { makeSigningKey, signingKeyIn } from './secrets/signing-key.ts'
import { callGate } from './pacing/call-gate.ts'
import { jobsIn } from './worker/jobs.ts'
import type { AzureLabs, WorkerParts } from './worker/parts.ts'

/** The parts that every process of the portal works with. */
export interface App {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly seal: Seal
}

/** A test's settings that the environment can't make; all else is wired as it runs in earnest. */
export interface Overrides {
  /** Folder of a built web app, in place of the project's own. */
  readonly webDir?: string
  /** Told of every bug, in place of the log. */
  readonly onBug?: (bug: unknown) => void
  /** Told what whoever runs the portal should know, in place of the log. */
  readonly say?: (sentence: string) => void
  /** The wires between the adapters and the far ends, and how often the adapters look. */
  readonly azure?: Partial<AzureSettings & GraphSettings>
  readonly aws?: Partial<AwsConnection>
}

/** Connections to the database that one process holds at most. */
const CONNECTIONS = 16

export function buildApp(config: Config, secrets: Secrets): App {
  return {
    config,
    secrets,
    db: connect({ connectionString: secrets.databaseUrl }, { size: CONNECTIONS, as: 'app' }),
    seal: makeSeal(secrets.keys),
  }
}

/** The jobs that something at the machine itself puts. */
export const jobsOf = ({ db }: App) => jobsIn(db)

/** The payment provider: an order needs its number while somebody waits, see docs/decisions/030. */
function paymentsOf(config: Config, secrets: Secrets): Payments | null {
  if (config.payments === null) return null
  const { razorpayKeySecret: keySecret, razorpayWebhookSecret: webhookSecret } = secrets
  return razorpayPayments({ ...config.payments, keySecret, webhookSecret })
}

/** Returns the parts of the API. Its handlers are given no cloud: they change the desired state. */
export function apiOf({ config, secrets, db, seal }: App, overrides: Overrides = {}): ServerOptions {
  const changes = followMachineChanges({ connectionString: secrets.databaseUrl })
  const jobs = jobsIn(db)
  const payments = paymentsOf(config, secrets)
  const handlers = callHandlers({
    seal,
    jobs,
    changes,
    payments,
    relyingParty: relyingPartyOf(config.http.publicUrl),
    openId: openId(config.openId),
    texts: dnsTextRecords(config.dns),
    publicUrl: config.http.publicUrl,
    remotePage: config.remote.page,
    azure: config.azure,
    aws: { ...config.aws, consoleUrl: consoleUrlOf(config.aws) },
    prove: (nonce) => proofOf(seal, payments === null ? null : secrets.razorpayWebhookSecret, nonce),
  })
  return {
    db,
    handlers,
    logger: { level: config.logLevel },
    publicUrl: config.http.publicUrl,
    trustedProxies: config.http.trustedProxies,
    webDir: overrides.webDir ?? fileURLToPath(new URL('../../web/dist', import.meta.url)),
    fingerprint: (text) => Buffer.from(seal.token('idempotency', text), 'base64url'),
    sessionSeconds: SESSION_SECONDS,
    secondFactor: config.secondFactor,
    rateLimitFactor: config.http.rateLimitFactor,
    browserOf: (cookie, email) => knownBrowser(seal, cookie, email)?.nonce ?? null,
    checkout: payments?.checkout ?? null,
    beside: (server, refusals) =>
      serveRemote(server, {
        db,
        refusals,
        seal,
        changes,
        shells: sshShells({ proxy: config.remote.sshProxy }),
        publicUrl: config.http.publicUrl,
        trustedProxies: config.http.trustedProxies,
        onBug: overrides.onBug ?? ((bug) => server.log.error({ err: bug }, 'a bug at the terminals')),
      }),
    async close() {
      await Promise.all([changes.close(), jobs.stop()])
      await db.destroy()
    },
  }
}

/** Returns the key that the audit's heads are signed with: of the settings, or of the data folder. */
export const auditKeysOf = ({ dataDir }: Config, { auditSigningKey }: Secrets) => ({
  /** null: none was made yet. */
  key: () => auditSigningKey ?? signingKeyIn(dataDir),
  makeKey: () => auditSigningKey ?? makeSigningKey(dataDir),
})

/** Returns the doctor's checks: of the settings as they are, and of all that they lead to. It changes nothing. */
export async function doctorOf(config: Config, secrets: Secrets): Promise<Doctor> {
  const [{ awsDiagnosis }, { azureCloud }, { azureDiagnosis }, { graphDiagnosis }, { smtpDiagnosis }] =
    await Promise.all([
      import('./providers/aws/diagnose.ts'),
      import('./providers/azure/cloud.ts'),
      import('./providers/azure/diagnose.ts'),
      import('./providers/graph/diagnose.ts'),
      import('./providers/smtp/diagnose.ts'),
    ])
  const seal = makeSeal(secrets.keys)
  const prove = (nonce: string) => proofOf(seal, config.payments === null ? null : secrets.razorpayWebhookSecret, nonce)
  const embedded = embeddedForAWhile(config)
  const db = connect({ connectionString: readOnly(secrets.databaseUrl) }, { size: 4, as: 'app' })
  const database = databaseChecks(db, () => embedded.start())
  const publicUrl = publicUrlChecks({ publicUrl: config.http.publicUrl, prove })
  const emulator = emulatorCheck(config.emulator)
  const azureSettings = await azureSettingsOf(config, secrets)
  const azure = azureChecks({
    diagnosis: azureDiagnosis(azureSettings),
    cloud: azureCloud(azureSettings),
    settings: config.azure,
    templates: () => templatesAsked(db),
    readable: database.readable,
    needs: config.azure.emulated ? [emulator] : [],
  })
  const graph = graphChecks({
    diagnosis: graphDiagnosis(azureSettings),
    clientId: config.azure.clientId,
    labDomain: config.azure.labDomain,
    needs: azure.filter(({ name }) => name === 'credentials and tenant'),
  })
  const { payments } = config
  const razorpay = razorpayChecks({
    diagnosis: payments === null ? null : razorpayDiagnosis({ ...payments, keySecret: secrets.razorpayKeySecret }),
    keyId: payments?.keyId ?? '',
    emulated: payments?.emulated === true,
    publicUrl: config.http.publicUrl,
    prove,
    reached: publicUrl.reached,
    needs: payments?.emulated === true ? [emulator] : [],
  })
  const connection = awsConnectionOf(config, secrets)
  const aws = awsChecks({
    diagnosis: connection === null ? null : awsDiagnosis(connection),
    settings: config.aws,
    needs: config.aws.emulated ? [emulator] : [],
  })
  const smtp = smtpCheck(smtpDiagnosis({ url: secrets.smtpUrl }), {
    host: new URL(secrets.smtpUrl).host,
    needs: config.mail.emulated ? [emulator] : [],
  })
  return {
    checks: [...database.all, ...publicUrl.all, emulator, ...azure, ...graph, ...aws, ...razorpay, smtp],
    secrets: secretTexts(config, secrets),
    async close() {
      await db.destroy()
      await embedded.stop()
    },
  }
}

/** The lives of `npm run live`: the adapters alone, on the account that the settings name, without a database. */
export async function liveOf(config: Config, secrets: Secrets, options: LiveOptions, say: Say): Promise<Live> {
  const [{ azureCloud }, lives, { openJournal }, { recordTraffic }] = await Promise.all([
    import('./providers/azure/cloud.ts'),
    import('./live/lives.ts'),
    import('./live/journal.ts'),
    import('./live/traffic.ts'),
  ])
  const folder = join(config.dataDir, 'live')
  const { subscriptionId, tenantId, labDomain } = config.azure
  const traffic = recordTraffic(new Date(), [...secretTexts(config, secrets), tenantId, labDomain ?? ''])
  const account = config.azure.emulated ? 'the emulator' : `Azure subscription ${subscriptionId}`
  const accounts = {
    group: account,
    directoryUser: config.azure.emulated ? 'the emulator' : `Entra tenant ${tenantId}`,
    awsUser: config.aws.emulated ? 'the emulator' : 'AWS',
  }
  const settings = { ...(await azureSettingsOf(config, secrets)), http: traffic.http, send: traffic.fetch }
  const pollMs = config.azure.emulated ? 100 : 10_000
  const lag = config.azure.emulated && config.aws.emulated ? config.emulator.latency : 1
  const { identity, groups } = await azureLabsOf(settings)
  const parts = { cloud: azureCloud(settings), groups, identity, aws: await awsOf(config, secrets) }
  return {
    lives: lives.livesOf({
      ...parts,
      options,
      labDomain,
      payments: paymentsOf(config, secrets),
      pollMs,
      lag,
      say,
    }),
    ends: { ...parts, accounts },
    journal: openJournal(folder, accounts),
    traffic,
    pollMs,
    lag,
    costLimit: options.costLimit,
    account,
    trafficFolder: join(folder, 'traffic'),
    keepReport(text) {
      const file = join(folder, `report-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.md`)
      writeFileSync(file, text, { mode: 0o600 })
      return file
    },
  }
}

type Say = (text: string) => void

const consoleUrlOf =
  ({ consoleUrl }: Config['aws']) =>
  (account: string): string =>
    consoleUrl.replace('{account}', account)

/** AWS, where there is any: the emulator's or the real one. */
function awsConnectionOf({ aws, emulator }: Config, { awsCredentials }: Secrets): AwsConnection | null {
  if (awsCredentials === null) return null
  return { ...aws, credentials: awsCredentials, ...(aws.emulated ? { endpoint: emulator.url } : {}) }
}

async function awsOf(config: Config, secrets: Secrets, overrides?: Partial<AwsConnection>): Promise<AwsUsers | null> {
  const connection = awsConnectionOf(config, secrets)
  if (connection === null) return null
  const { awsUsers } = await import('./providers/aws/users.ts')
  return awsUsers({ ...config.aws, ...connection, ...overrides })
}

/** Azure as the settings name it. The sign-in is read when first needed. */
async function azureSettingsOf({ azure, emulator }: Config, { azureClientSecret }: Secrets): Promise<AzureSettings> {
  const { azureCredential, emulatorCredential } = await import('./providers/azure/credentials.ts')
  return {
    subscriptionId: azure.subscriptionId,
    credential: azure.emulated ? emulatorCredential() : azureCredential({ ...azure, clientSecret: azureClientSecret }),
    ...(azure.emulated ? { emulatorUrl: emulator.url } : { endpoint: azure.resourceManager }),
  }
}

async function azureLabsOf(settings: AzureSettings & GraphSettings): Promise<AzureLabs> {
  const [{ graphIdentity }, { azureSandboxes }] = await Promise.all([
    import('./providers/graph/identity.ts'),
    import('./providers/azure-sandbox/groups.ts'),
  ])
  return { identity: graphIdentity(settings), groups: azureSandboxes(settings) }
}

/** Returns the parts of a worker: only it is given the cloud and the mail system. */
export async function workerOf(app: App, overrides: Overrides = {}): Promise<WorkerParts> {
  const { config, secrets, db, seal } = app
  const [{ azureCloud }, { emulatedRecord }, { smtpMail }, { default: pino }] = await Promise.all([
    import('./providers/azure/cloud.ts'),
    import('./providers/emulated-record/power-record.ts'),
    import('./providers/smtp/mail.ts'),
    import('pino'),
  ])
  const log = pino({ level: config.logLevel })
  const { azure } = config
  const mail = smtpMail({ url: secrets.smtpUrl, from: config.mail.from })
  const toPeople = { db, mail, seal, publicUrl: config.http.publicUrl, mailboxOf }
  const smtp = new URL(secrets.smtpUrl)
  const settings: AzureSettings = {
    ...(await azureSettingsOf(config, secrets)),
    log: (call) => log.debug(call, 'azure answered'),
    // An emulator without delays is a test's, which has no time for Azure's pace.
    ...(azure.emulated && config.emulator.latency === 0 ? {} : { gate: callGate(db, azure.subscriptionId) }),
    ...overrides.azure,
  }
  const cloud = azureCloud(settings)
  return {
    db,
    seal,
    connection: { connectionString: secrets.databaseUrl },
    payments: paymentsOf(config, secrets),
    cloud,
    jobs: {
      'machine.capture': captureImage({ db, cloud }),
      'user.invite': sendInvitation(toPeople),
      'user.forgot': sendForgotten(toPeople),
      'user.passwordChanged': tellPasswordChanged(toPeople),
      'secondFactor.notice': sendFactorNotice(toPeople),
      'azureUser.invite': inviteAzureUser(toPeople),
      'awsUser.invite': inviteAwsUser(toPeople),
    },
    aws: await awsOf(config, secrets, overrides.aws),
    azureLabs: await azureLabsOf(settings),
    powerRecord: azure.emulated ? emulatedRecord(config.emulator.url) : null,
    shells: sshShells({ proxy: config.remote.sshProxy }),
    auditKey: auditKeysOf(config, secrets).makeKey,
    mail: { host: smtp.hostname, port: Number(smtp.port || (smtp.protocol === 'smtps:' ? 465 : 587)) },
    onBug: overrides.onBug ?? ((bug) => log.error({ err: bug }, 'a bug in the background')),
    say: overrides.say ?? ((sentence) => log.warn(sentence)),
  }
}
