import type { KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { type AwsCredentials, awsCredentials, type AwsSettings, awsSettings } from './config/aws.ts'
import { type AzureCredential, azureCredentialIn, type AzureSettings, azureSettings } from './config/azure.ts'
import { type Environment, environmentIn, type LogLevel } from './config/environment.ts'
import { ConfigError } from './core/errors.ts'
import { type MailSettings, mailSettings } from './config/mail.ts'
import { type LmsSettings, lmsSettings, type OpenIdSettings, openIdSettings } from './config/open-id.ts'
import { type PaymentSecrets, paymentSecrets, type PaymentSettings, paymentSettings } from './config/payments.ts'
import { portsIn } from './config/ports.ts'
import { embeddedPlace } from './db/embedded/place.ts'
import { appLoginOf, urlAs } from './db/roles.ts'
import { hasKeyFile, readKeyFile, readKeyList } from './secrets/keys.ts'
import type { SealKeys } from './secrets/seal.ts'
import { readSigningKey } from './secrets/signing-key.ts'

/** Parsed settings of the environment. None of them is secret, so they may be logged. */
export interface Config {
  readonly production: boolean
  /** True if every provider is the emulator, the database is embedded, and NODE_ENV is not production. */
  readonly demo: boolean
  readonly secondFactor: SecondFactorRule
  /** Minutes after which an idle session ends, unless its organisation sets a limit; null: never. */
  readonly idleMinutes: number | null
  readonly logLevel: LogLevel
  readonly dataDir: string
  readonly http: {
    readonly host: string
    readonly port: number
    readonly publicUrl: string
    /** Address of the operator's privacy notice; null: the portal shows its own notice. */
    readonly privacyNotice: string | null
    /** Trusted proxies, or the number of proxies before the portal. */
    readonly trustedProxies: readonly string[] | number
    readonly rateLimitFactor: number
  }
  readonly vitePort: number
  readonly database: {
    readonly kind: 'embedded' | 'server'
    readonly connections: number
  }
  readonly emulator: {
    readonly needed: boolean
    readonly url: string
    readonly port: number
    readonly smtpPort: number
    readonly latency: number
    /**
     * Predefined subscription that the emulator starts with; null: it continues with the subscription of its previous
     * run.
     */
    readonly world: 'open' | 'corporate' | null
  }
  readonly azure: AzureSettings
  readonly aws: AwsSettings
  readonly remote: {
    /** Address of the remote-access page without a fragment. Without a gateway it is a page of the portal. */
    readonly page: string
    /** HTTP proxy for SSH connections to machines. The emulator is the proxy for its simulated addresses. */
    readonly sshProxy: string | null
    /** URL at which other API processes connect to this one; null: no other process connects. */
    readonly peerUrl: string | null
    /** IPv4 prefixes from which the portal connects to machines; empty: unknown, so any source is accepted. */
    readonly egress: readonly string[]
  }
  readonly payments: PaymentSettings | null
  readonly openId: OpenIdSettings
  readonly lms: LmsSettings
  readonly webhooks: {
    /** Address of the emulator's webhook receiver, which is called without TLS; null: none. */
    readonly emulator: string | null
    readonly privateRanges: readonly string[]
  }
  readonly dns: {
    readonly servers: readonly string[]
  }
  readonly mail: MailSettings
  readonly invocationDir: string
  /**
   * IDs of keys that the operator has lost. Secrets that were encrypted with these keys are expected to be unreadable.
   */
  readonly lostKeys: readonly string[]
  readonly backups: {
    readonly folder: string
    /** age recipient for which backups are encrypted; null: backups are not encrypted. */
    readonly recipient: string | null
    /** Number of daily backups to retain; 0: no automatic backups. */
    readonly keep: number
  }
  /** Address of the metrics endpoint; null: off. With `npm start` the worker uses the next port. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly audit: {
    /** Age in days from which rows are archived; null: never. */
    readonly retentionDays: number | null
    readonly archiveDir: string
  }
}

export interface Secrets extends PaymentSecrets {
  /** PostgreSQL connection string of API and worker, also for the embedded database. This login owns no tables. */
  readonly databaseUrl: string
  /** Connection string of the database owner, for migrations only; null: not available to this process. */
  readonly ownerUrl: string | null
  /** Keys that encrypt stored secrets. The first key encrypts new secrets. Decryption tries all keys. */
  readonly keys: SealKeys
  /**
   * True if the keys are in the data folder's secret.key, which a running process reads again; false if SECRET_KEYS is
   * set.
   */
  readonly keysInFile: boolean
  readonly auditSigningKey: KeyObject | null
  readonly azureCredential: AzureCredential
  readonly awsCredentials: AwsCredentials | null
  readonly smtpUrl: string
  /** Proxy for connections to providers; its URL may contain a password. Null: direct connections. */
  readonly egressProxy: EgressProxy | null
}

interface EgressProxy {
  readonly url: string
  readonly noProxy: readonly string[]
}

/** Settings of a gateway agent, which runs apart from the portal. */
export interface GatewayConfig {
  readonly portal: string
  readonly token: string | null
  readonly dataDir: string
  readonly ranges: readonly string[] | null
  readonly machineProxy: string | null
  /** Proxy for the connection to the portal. */
  readonly egressProxy: EgressProxy | null
  readonly version: string
}

/** Total number of connections of the embedded database. API, worker and tools share them. */
const CONNECTIONS_TO_EMBEDDED = 80

/** Address of the portal in the emulator's network. */
const EMULATED_EGRESS = '198.18.0.1/32'

/** Idle limit of 12 hours: a session survives a lunch break but not a night. */
const IDLE_MINUTES_IN_PRODUCTION = 12 * 60

/**
 * Reads the settings. No other code reads the environment. Creates the installation's secret key in the data folder if
 * none is given.
 * @param forRestore true: a missing key is an error, because a new key would decrypt nothing of the restored data
 */
export function readConfig(
  variables: NodeJS.ProcessEnv = process.env,
  { forRestore = false }: { readonly forRestore?: boolean } = {},
): { config: Config; secrets: Secrets } {
  const env = environmentIn(variables)
  const production = env.NODE_ENV === 'production'
  const dataDir = dataFolder(env.TRAINYARD_DATA)
  const ports = portsIn(env)
  const emulatorUrl = `http://127.0.0.1:${ports.emulator}`
  const azure = azureSettings(env, emulatorUrl)
  const payments = paymentSettings(env, { emulatorUrl, requiresRealPayments: production || !azure.emulated })
  const aws = awsSettings(env, { emulatorUrl, azureEmulated: azure.emulated })
  const ownServer = env.DATABASE_URL !== undefined || env.DATABASE_APP_URL !== undefined

  if (!ownServer && env.DATABASE_CONNECTIONS > CONNECTIONS_TO_EMBEDDED) {
    throw new ConfigError(
      `DATABASE_CONNECTIONS must be ${CONNECTIONS_TO_EMBEDDED} or fewer with the embedded database.`,
    )
  }

  const mail = mailSettings(env, { azureEmulated: azure.emulated })

  const demo =
    !production &&
    !ownServer &&
    [azure.emulated, aws.emulated, payments?.emulated === true, mail.emulated].every(Boolean)

  if (demo) refuseToPublish('HOST', env.HOST, env.HOST)
  // A tunnel or a proxy on this machine makes a portal public that listens only here.
  if (demo && env.PUBLIC_URL !== undefined)
    refuseToPublish('PUBLIC_URL', env.PUBLIC_URL, new URL(env.PUBLIC_URL).hostname.replaceAll(/[[\]]/g, ''))

  const config: Config = {
    production,
    demo,
    // Visitors share the published passwords of demo users. If a second factor were required, the first visitor
    // would set up one and lock out the others.
    secondFactor: demo ? 'optional' : (env.SECOND_FACTOR ?? (production ? 'required' : 'optional')),
    idleMinutes: (env.IDLE_MINUTES ?? (production ? IDLE_MINUTES_IN_PRODUCTION : 0)) || null,
    logLevel: env.LOG_LEVEL,
    dataDir,
    http: {
      host: env.HOST,
      port: ports.http,
      privacyNotice: env.PRIVACY_NOTICE_URL ?? null,
      publicUrl: (env.PUBLIC_URL ?? `http://127.0.0.1:${ports.http}`).replace(/\/+$/, ''),
      rateLimitFactor: env.RATE_LIMIT_FACTOR,
      trustedProxies: trustedProxiesIn(env.TRUSTED_PROXIES),
    },
    vitePort: ports.vite,
    database: { kind: ownServer ? 'server' : 'embedded', connections: env.DATABASE_CONNECTIONS },
    emulator: {
      needed: azure.emulated || mail.emulated,
      url: emulatorUrl,
      port: ports.emulator,
      smtpPort: ports.smtp,
      latency: env.EMULATOR_LATENCY,
      world: env.EMULATOR_WORLD ?? null,
    },
    azure,
    remote: {
      page: env.REMOTE_ACCESS_URL?.replace(/#.*$/, '') ?? '/remote/',
      sshProxy: env.SSH_PROXY ?? (azure.emulated ? emulatorUrl : null),
      peerUrl: env.PEER_URL ?? null,
      egress: env.EGRESS_ADDRESSES?.split(',').map(asPrefix) ?? (azure.emulated ? [EMULATED_EGRESS] : []),
    },
    payments,
    aws,
    openId: openIdSettings(env, azure.emulated && !production ? emulatorUrl : null),
    lms: lmsSettings(env, azure.emulated && !production ? emulatorUrl : null),
    webhooks: {
      emulator: azure.emulated && !production ? `${emulatorUrl}/webhooks/` : null,
      privateRanges: env.WEBHOOK_PRIVATE_RANGES?.split(',') ?? [],
    },
    dns: { servers: env.DNS_SERVERS?.split(',') ?? (azure.emulated && !production ? [new URL(emulatorUrl).host] : []) },
    mail,
    invocationDir: resolve(env.INIT_CWD),
    lostKeys: env.LOST_KEYS?.split(',') ?? [],
    backups: { folder: join(dataDir, 'backups'), keep: env.BACKUP_KEEP, recipient: env.BACKUP_RECIPIENT ?? null },
    metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    audit: { retentionDays: env.AUDIT_RETENTION_DAYS ?? null, archiveDir: join(dataDir, 'audit') },
  }
  const secrets: Secrets = {
    ...databaseUrls(env, dataDir),
    keys: secretKeys(env, { mustBeGiven: production && ownServer, mustExist: forRestore }, dataDir),
    keysInFile: env.SECRET_KEYS === undefined,
    auditSigningKey: auditSigningKey(env),
    azureCredential: azureCredentialIn(env),
    awsCredentials: awsCredentials(env, aws),
    ...paymentSecrets(env),
    smtpUrl: env.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
    egressProxy: egressProxy(env),
  }
  return { config, secrets }
}

/**
 * Reads the settings of a gateway agent.
 * @throws ConfigError
 */
export function readGatewayConfig(variables: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const env = environmentIn(variables)
  const portal = env.GATEWAY_PORTAL
  if (portal === undefined) throw new ConfigError('GATEWAY_PORTAL must be set to the address of the portal.')
  return {
    portal: portal.replace(/\/+$/, ''),
    token: env.GATEWAY_TOKEN ?? null,
    dataDir: dataFolder(env.TRAINYARD_DATA),
    ranges: env.GATEWAY_RANGES?.split(',').map((prefix) => prefix.trim()) ?? null,
    machineProxy: env.SSH_PROXY ?? null,
    egressProxy: egressProxy(env),
    version: productVersion(),
  }
}

/** The names and their order are the same as in Azure's SDK, which reads these variables itself. */
/** Throws if other machines could sign in to demo users. @throws ConfigError */
function refuseToPublish(setting: string, value: string, host: string): void {
  if (/^(?:(?:[\w-]+\.)*localhost|::1|127\.\d+\.\d+\.\d+)$/.test(host)) return
  throw new ConfigError(
    `${setting} is ${value}, and this portal has demo accounts with published passwords. Remove ${setting}, or connect real providers or an own database first.`,
  )
}

function egressProxy(env: Environment): EgressProxy | null {
  const url = env.HTTPS_PROXY ?? env.https_proxy
  if (url === undefined) return null
  const noProxy = (env.NO_PROXY ?? env.no_proxy ?? '').split(',').map((entry) => entry.trim())
  return { url, noProxy: noProxy.filter((entry) => entry !== '') }
}

function trustedProxiesIn(value: string): readonly string[] | number {
  if (value === 'none') return []
  return /^\d$/.test(value) ? Number(value) : value.split(/\s*,\s*/)
}

const asPrefix = (value: string): string => (value.includes('/') ? value.trim() : `${value.trim()}/32`)

function productVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

function dataFolder(value: string): string {
  const dataDir = resolve(value)
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new ConfigError(`TRAINYARD_DATA must be a folder, and ${dataDir} is a file.`)
  }
  return dataDir
}

function databaseUrls(env: Environment, dataDir: string): Pick<Secrets, 'databaseUrl' | 'ownerUrl'> {
  if (env.DATABASE_APP_URL !== undefined)
    return { databaseUrl: env.DATABASE_APP_URL, ownerUrl: env.DATABASE_URL ?? null }
  const ownerUrl = env.DATABASE_URL ?? embeddedPlace(dataDir).url
  return { databaseUrl: urlAs(ownerUrl, appLoginOf(ownerUrl)), ownerUrl }
}

export function environmentWith(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...extra }
}

function auditSigningKey({ AUDIT_SIGNING_KEY: keyText }: Environment): KeyObject | null {
  try {
    return keyText === undefined ? null : readSigningKey(keyText)
  } catch (error) {
    throw new ConfigError(`AUDIT_SIGNING_KEY ${(error as Error).message}`, { cause: error })
  }
}

function secretKeys(
  { SECRET_KEYS: list, LOST_KEYS: lost }: Environment,
  { mustBeGiven, mustExist }: { readonly mustBeGiven: boolean; readonly mustExist: boolean },
  dataDir: string,
): Secrets['keys'] {
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
  if (mustExist && lost === undefined && !hasKeyFile(dataDir)) {
    throw new ConfigError(
      `There is no secret.key in ${dataDir}, and SECRET_KEYS is not set. Copy the secret.key of the installation that ` +
        'was backed up into that folder first. If it is lost, set LOST_KEYS to the key IDs in backup.json.',
    )
  }
  return readKeyFile(dataDir)
}
