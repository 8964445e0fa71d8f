import type { KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { type AwsCredentials, awsCredentials, type AwsSettings, awsSettings } from './config/aws.ts'
import { azureClientSecret, type AzureSettings, azureSettings } from './config/azure.ts'
import { type Environment, environmentIn, type LogLevel } from './config/environment.ts'
import { ConfigError } from './core/errors.ts'
import { type OpenIdSettings, openIdSettings } from './config/open-id.ts'
import { type PaymentSecrets, paymentSecrets, type PaymentSettings, paymentSettings } from './config/payments.ts'
import { portsIn } from './config/ports.ts'
import { embeddedPlace } from './db/embedded/place.ts'
import { appLoginOf, urlAs } from './db/roles.ts'
import { readKeyFile, readKeyList } from './secrets/keys.ts'
import type { SealKey } from './secrets/seal.ts'
import { readSigningKey } from './secrets/signing-key.ts'

/** The settings of the environment, in the program's own words. None of them is secret: they may be logged. */
export interface Config {
  readonly production: boolean
  /**
   * True when accounts with published passwords may be made: only where nothing but the emulator is behind the
   * portal, it keeps its own database, and nobody calls it production.
   */
  readonly demo: boolean
  /** The rule for second factors of admins and superadmins where an organisation has none of its own. */
  readonly secondFactor: SecondFactorRule
  /** Minutes after which an unused session is over, where its organisation says nothing; null: it is not. */
  readonly idleMinutes: number | null
  readonly logLevel: LogLevel
  /** Absolute path of the folder that holds all that this installation keeps on disk. */
  readonly dataDir: string
  readonly http: {
    readonly host: string
    readonly port: number
    readonly publicUrl: string
    readonly trustedProxies: readonly string[]
    /** Factor on how often people may call. */
    readonly rateLimitFactor: number
  }
  /** Where `npm run dev` serves the web app. */
  readonly vitePort: number
  readonly database: {
    readonly kind: 'embedded' | 'server'
    /** Connections that one process holds at most for its work. */
    readonly connections: number
  }
  readonly emulator: {
    /** False when every far end is a real one: then no emulator is started. */
    readonly needed: boolean
    readonly url: string
    readonly port: number
    readonly smtpPort: number
    /** Factor on the emulator's believable latencies; 0 answers at once. */
    readonly latency: number
  }
  readonly azure: AzureSettings
  readonly aws: AwsSettings
  readonly remote: {
    /** Address of the lab remote-access page, without a fragment: our own, unless another gateway's is given. */
    readonly page: string
    /** HTTP proxy on the way to the machines' SSH; null: none. The emulator is one to its invented addresses. */
    readonly sshProxy: string | null
    /** Where other API processes reach this one; null: they don't. */
    readonly peerUrl: string | null
  }
  /** null: nobody can pay online. */
  readonly payments: PaymentSettings | null
  readonly openId: OpenIdSettings
  readonly dns: {
    /** Name servers that are asked for the texts of domains; none: those of this machine. */
    readonly servers: readonly string[]
  }
  readonly mail: { readonly from: string; readonly emulated: boolean }
  /** Folder that the paths of a command line are below. */
  readonly calledFrom: string
  /** Of the embedded database. */
  readonly backups: {
    readonly folder: string
    /** Daily backups that are kept; 0: none is made by itself. */
    readonly keep: number
  }
  readonly telemetry: {
    /** Where API or worker tells its figures; null: nobody asked for them. Under `npm start` the worker has the next port. */
    readonly metrics: { readonly host: string; readonly port: number } | null
    /** Address of a collector that takes OTLP over HTTP; null: nothing is traced. */
    readonly otlp: string | null
  }
  readonly audit: {
    /** Rows older than this are archived when that is asked for; null: never. */
    readonly retentionDays: number | null
    /** Folder of the files that they are written to. */
    readonly archiveDir: string
  }
  /** Days after which a run that ended moves to the archive; null: none does. */
  readonly runArchiveDays: number | null
}

export interface Secrets extends PaymentSecrets {
  /** PostgreSQL connection string of API and worker, also for the embedded one: a login that owns nothing. */
  readonly databaseUrl: string
  /** That of the database's owner, for migrations alone; null where this process was not given it. */
  readonly ownerUrl: string | null
  /** Keys that stored secrets are encrypted with; the first is used for new ones, all are used to read. */
  readonly keys: readonly [SealKey, ...SealKey[]]
  /** Signs the audit's heads; null: the data folder has the key. */
  readonly auditSigningKey: KeyObject | null
  readonly azureClientSecret: string
  /** null: no AWS is used. */
  readonly awsCredentials: AwsCredentials | null
  readonly smtpUrl: string
}

/** The embedded database takes 200 in all: those of an API, a worker, and whoever looks on. */
const CONNECTIONS_TO_EMBEDDED = 80

/** Half a day: nobody is signed out over lunch, and nobody finds yesterday's session open. */
const IDLE_MINUTES_IN_PRODUCTION = 12 * 60

/**
 * Reads the settings; the only place that reads the environment. Makes the
 * installation's own secret key in the data folder when none is given.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): { config: Config; secrets: Secrets } {
  const e = environmentIn(env)
  const production = e.NODE_ENV === 'production'
  const dataDir = dataFolder(e.TRAINYARD_DATA)
  const ports = portsIn(e)
  const emulatorUrl = `http://127.0.0.1:${ports.emulator}`
  const azure = azureSettings(e, emulatorUrl)
  const payments = paymentSettings(e, { emulatorUrl, inEarnest: production || !azure.emulated })
  const aws = awsSettings(e, { emulatorUrl, azureEmulated: azure.emulated })
  const ownServer = e.DATABASE_URL !== undefined || e.DATABASE_APP_URL !== undefined

  if (!ownServer && e.DATABASE_CONNECTIONS > CONNECTIONS_TO_EMBEDDED) {
    throw new ConfigError(
      `DATABASE_CONNECTIONS must be ${CONNECTIONS_TO_EMBEDDED} or fewer with the database that comes with the portal.`,
    )
  }

  const mailEmulated = e.SMTP_URL === undefined

  const demo =
    !production &&
    !ownServer &&
    [azure.emulated, aws.emulated, payments?.emulated === true, mailEmulated].every(Boolean)

  const config: Config = {
    production,
    demo,
    // Demo accounts have published passwords: a second factor of one visitor's would keep out the next.
    secondFactor: demo ? 'optional' : (e.SECOND_FACTOR ?? (production ? 'required' : 'optional')),
    idleMinutes: (e.IDLE_MINUTES ?? (production ? IDLE_MINUTES_IN_PRODUCTION : 0)) || null,
    logLevel: e.LOG_LEVEL,
    dataDir,
    http: {
      host: e.HOST,
      port: ports.http,
      publicUrl: (e.PUBLIC_URL ?? `http://127.0.0.1:${ports.http}`).replace(/\/+$/, ''),
      rateLimitFactor: e.RATE_LIMIT_FACTOR,
      trustedProxies: e.TRUSTED_PROXIES === 'none' ? [] : e.TRUSTED_PROXIES.split(/\s*,\s*/),
    },
    vitePort: ports.vite,
    database: { kind: ownServer ? 'server' : 'embedded', connections: e.DATABASE_CONNECTIONS },
    emulator: {
      needed: azure.emulated || mailEmulated,
      url: emulatorUrl,
      port: ports.emulator,
      smtpPort: ports.smtp,
      latency: e.EMULATOR_LATENCY,
    },
    azure,
    remote: {
      page: e.REMOTE_ACCESS_URL?.replace(/#.*$/, '') ?? '/remote/',
      sshProxy: e.SSH_PROXY ?? (azure.emulated ? emulatorUrl : null),
      peerUrl: e.PEER_URL ?? null,
    },
    payments,
    aws,
    openId: openIdSettings(e, azure.emulated && !production ? emulatorUrl : null),
    dns: { servers: e.DNS_SERVERS?.split(',') ?? (azure.emulated && !production ? [new URL(emulatorUrl).host] : []) },
    mail: { from: e.MAIL_FROM, emulated: mailEmulated },
    calledFrom: resolve(e.INIT_CWD),
    backups: { folder: join(dataDir, 'backups'), keep: e.BACKUP_KEEP },
    telemetry: {
      metrics: e.METRICS_PORT === undefined ? null : { host: e.METRICS_HOST, port: e.METRICS_PORT },
      otlp: e.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    },
    audit: { retentionDays: e.AUDIT_RETENTION_DAYS ?? null, archiveDir: join(dataDir, 'audit') },
    runArchiveDays: e.RUN_ARCHIVE_DAYS ?? null,
  }
  const secrets: Secrets = {
    ...databaseUrls(e, dataDir),
    keys: secretKeys(e.SECRET_KEYS, production && ownServer, dataDir),
    auditSigningKey: auditSigningKey(e),
    azureClientSecret: azureClientSecret(e),
    awsCredentials: awsCredentials(e, aws),
    ...paymentSecrets(e),
    smtpUrl: e.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
  }
  return { config, secrets }
}

function dataFolder(given: string): string {
  const dataDir = resolve(given)
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new ConfigError(`TRAINYARD_DATA must be a folder, and ${dataDir} is a file.`)
  }
  return dataDir
}

function databaseUrls(e: Environment, dataDir: string): Pick<Secrets, 'databaseUrl' | 'ownerUrl'> {
  if (e.DATABASE_APP_URL !== undefined) return { databaseUrl: e.DATABASE_APP_URL, ownerUrl: e.DATABASE_URL ?? null }
  const ownerUrl = e.DATABASE_URL ?? embeddedPlace(dataDir).url
  return { databaseUrl: urlAs(ownerUrl, appLoginOf(ownerUrl)), ownerUrl }
}

/** The environment that a child process gets: ours, and what is added to it. */
export function environmentWith(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...extra }
}

function auditSigningKey({ AUDIT_SIGNING_KEY: given }: Environment): KeyObject | null {
  try {
    return given === undefined ? null : readSigningKey(given)
  } catch (error) {
    throw new ConfigError(`AUDIT_SIGNING_KEY ${(error as Error).message}`, { cause: error })
  }
}

function secretKeys(list: string | undefined, mustBeGiven: boolean, dataDir: string): Secrets['keys'] {
  try {
    if (list !== undefined) return readKeyList(list)
  } catch (error) {
    throw new ConfigError(`SECRET_KEYS ${(error as Error).message}`, { cause: error })
  }
  if (mustBeGiven) {
    throw new ConfigError(
      'SECRET_KEYS must be set in production with DATABASE_URL, so that every process reads the same secrets: ' +
        'a list like 2026:BASE64_OF_32_BYTES. Make one with: echo "2026:$(head -c 32 /dev/urandom | base64)".',
    )
  }
  return readKeyFile(dataDir)
}
