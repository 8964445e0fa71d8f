import { fileURLToPath } from 'node:url'
import type { Config, Secrets } from './config.ts'
import { connect } from './db/client.ts'
import type { Db } from './db/schema.ts'
import { homeHandlers } from './domain/home/http.ts'
import { followMachineChanges } from './domain/machine/changes.ts'
import { quotaHandlers } from './domain/machine/quota-http.ts'
import { imageHandlers } from './domain/image/http.ts'
import { captureImage } from './domain/image/jobs.ts'
import { trainingCalls } from './domain/machine/training-http.ts'
import { logsHandlers } from './domain/meter/clear-logs.ts'
import { usageHandlers } from './domain/meter/http.ts'
import { machineCalls } from './domain/order/http.ts'
import { mustBeSettled } from './domain/ledger/balance.ts'
import { accountHandlers, ledgerHandlers } from './domain/ledger/http.ts'
import { organisationCalls } from './domain/organisation/http.ts'
import { portHandlers } from './domain/port/http.ts'
import { inviteAwsUser } from './domain/sandbox/aws/jobs.ts'
import { awsSandboxHandlers } from './domain/sandbox/aws/sandbox-http.ts'
import { awsUserHandlers } from './domain/sandbox/aws/user-http.ts'
import { inviteLabUser } from './domain/sandbox/azure/jobs.ts'
import { azureSandboxHandlers } from './domain/sandbox/azure/sandbox-http.ts'
import { sandboxUserHandlers } from './domain/sandbox/azure/user-http.ts'
import { scheduleHandlers } from './domain/schedule/http.ts'
import { meteringHandlers } from './domain/meter/audit-http.ts'
import { orderableTemplates, templateHandlers } from './domain/template/http.ts'
import { accessWindowHandlers } from './domain/training/window-http.ts'
import { userHandlers } from './domain/user/http.ts'
import { sendInvitation } from './domain/user/jobs.ts'
import { remoteHandlers } from './domain/remote/http.ts'
import { searchHandlers } from './domain/search/http.ts'
import { sessionHandlers } from './domain/user/session-http.ts'
import { SESSION_SECONDS } from './domain/user/sessions.ts'
import { paymentHandlers } from './domain/payment/http.ts'
import type { Handlers } from './http/handler.ts'
import { healthHandlers } from './http/health.ts'
import type { ServerOptions } from './http/server.ts'
import { sshShells } from './providers/ssh/shells.ts'
import { serveRemote } from './remote/gateway.ts'
import type { Payments } from './providers/payments.ts'
import { razorpayPayments } from './providers/razorpay/payments.ts'
import type { AwsUsers } from './providers/aws-users.ts'
import type { AzureSettings } from './providers/azure/clients.ts'
import { makeSeal, type Seal } from './secrets/seal.ts'
import { callGate } from './pacing/call-gate.ts'
import type { AzureLabs } from './worker/azure-labs.ts'
import { jobsIn } from './worker/jobs.ts'
import type { WorkerParts } from './worker/worker.ts'

/** What every part of the portal works with. */
export interface App {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly seal: Seal
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

/** The payment provider: an order needs its number while somebody waits, see docs/decisions/030. */
function paymentsOf(config: Config, secrets: Secrets): Payments | null {
  if (config.payments === null) return null
  const { razorpayKeySecret: keySecret, razorpayWebhookSecret: webhookSecret } = secrets
  return razorpayPayments({ ...config.payments, keySecret, webhookSecret })
}

/** What the API is made of. Its handlers are given no cloud: they change what is wanted. */
export function apiOf({ config, secrets, db, seal }: App): ServerOptions {
  const changes = followMachineChanges({ connectionString: secrets.databaseUrl })
  const jobs = jobsIn(db)
  const payments = paymentsOf(config, secrets)
  const handlers: Handlers = {
    session: sessionHandlers({ seal }),
    organisation: organisationCalls(mustBeSettled),
    user: userHandlers,
    template: templateHandlers,
    training: trainingCalls(orderableTemplates),
    machine: machineCalls({ seal, jobs, changes }),
    capture: imageHandlers({ jobs }),
    quota: quotaHandlers,
    logs: logsHandlers,
    schedule: scheduleHandlers,
    accessWindow: accessWindowHandlers,
    port: portHandlers,
    remote: remoteHandlers({ page: config.remote.page }),
    search: searchHandlers,
    azureSandbox: azureSandboxHandlers({ seal, portalUrl: config.azure.portalUrl }),
    sandboxUser: sandboxUserHandlers({ seal, jobs, labDomain: config.azure.labDomain }),
    awsSandbox: awsSandboxHandlers({ seal, consoleUrl: consoleUrlOf(config.aws) }),
    awsUser: awsUserHandlers({ seal, jobs, labDomain: config.aws.labDomain, pool: config.aws.pool }),
    home: homeHandlers,
    ledger: ledgerHandlers,
    account: accountHandlers,
    payment: paymentHandlers({ payments }),
    usage: usageHandlers,
    metering: meteringHandlers,
    health: healthHandlers,
  }
  return {
    db,
    handlers,
    logger: { level: config.logLevel },
    publicUrl: config.http.publicUrl,
    webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    fingerprint: (text) => Buffer.from(seal.token('idempotency', text), 'base64url'),
    sessionSeconds: SESSION_SECONDS,
    checkout: payments?.checkout ?? null,
    beside: (server) =>
      serveRemote(server, {
        db,
        seal,
        changes,
        shells: sshShells({ proxy: config.remote.sshProxy }),
        publicUrl: config.http.publicUrl,
        onFault: (fault) => server.log.error({ err: fault }, 'a fault at the terminals'),
      }),
    async close() {
      await Promise.all([changes.close(), jobs.stop()])
      await db.destroy()
    },
  }
}

const consoleUrlOf =
  ({ consoleUrl }: Config['aws']) =>
  (account: string): string =>
    consoleUrl.replace('{account}', account)

/** AWS, where there is any: the emulator's or the real one. */
async function awsOf({ aws, emulator }: Config, { awsCredentials }: Secrets): Promise<AwsUsers | null> {
  if (awsCredentials === null) return null
  const { awsUsers } = await import('./providers/aws/users.ts')
  return awsUsers({ ...aws, credentials: awsCredentials, ...(aws.emulated ? { endpoint: emulator.url } : {}) })
}

async function azureLabsOf(settings: AzureSettings): Promise<AzureLabs> {
  const [{ graphIdentity }, { azureSandboxes }] = await Promise.all([
    import('./providers/graph/identity.ts'),
    import('./providers/azure-sandbox/groups.ts'),
  ])
  return { identity: graphIdentity(settings), groups: azureSandboxes(settings) }
}

/** What a worker is made of: the only part that is given the cloud and the mail system. */
export async function workerOf({ config, secrets, db, seal }: App): Promise<WorkerParts> {
  const [{ azureCloud }, { azureCredential, emulatorCredential }, { emulatedRecord }, { smtpMail }, { default: pino }] =
    await Promise.all([
      import('./providers/azure/cloud.ts'),
      import('./providers/azure/credentials.ts'),
      import('./providers/emulated-record/power-record.ts'),
      import('./providers/smtp/mail.ts'),
      import('pino'),
    ])
  const log = pino({ level: config.logLevel })
  const { azure } = config
  const mail = smtpMail({ url: secrets.smtpUrl, from: config.mail.from })
  const smtp = new URL(secrets.smtpUrl)
  const credential = azure.emulated
    ? emulatorCredential()
    : azureCredential({ ...azure, clientSecret: secrets.azureClientSecret })
  const settings: AzureSettings = {
    subscriptionId: azure.subscriptionId,
    credential,
    ...(azure.emulated ? { emulatorUrl: config.emulator.url } : { endpoint: azure.resourceManager }),
    log: (call) => log.debug(call, 'azure answered'),
    // An emulator without delays is a test's, which has no time for Azure's pace.
    ...(azure.emulated && config.emulator.latency === 0 ? {} : { gate: callGate(db, azure.subscriptionId) }),
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
      'user.invite': sendInvitation({ db, mail, seal, publicUrl: config.http.publicUrl }),
      'azureUser.invite': inviteLabUser({ db, mail, seal, publicUrl: config.http.publicUrl }),
      'awsUser.invite': inviteAwsUser({ db, mail, seal, publicUrl: config.http.publicUrl }),
    },
    aws: await awsOf(config, secrets),
    azureLabs: await azureLabsOf(settings),
    powerRecord: azure.emulated ? emulatedRecord(config.emulator.url) : null,
    shells: sshShells({ proxy: config.remote.sshProxy }),
    mail: { host: smtp.hostname, port: Number(smtp.port || (smtp.protocol === 'smtps:' ? 465 : 587)) },
    onFault: (fault) => log.error({ err: fault }, 'a fault in the background'),
  }
}
