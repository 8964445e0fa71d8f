import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import type { SecondFactorRule } from '../../contract/words/sign-in.ts'
import { allOrNone, type Environment, environmentIn, type LogLevel, variables } from './environment.ts'
import { ConfigError } from '../core/errors.ts'
import { type MailSettings, mailSettings } from './mail.ts'
import { portsIn } from './ports.ts'
import { embeddedPlace } from '../db/embedded/place.ts'
import { appLoginOf, loginIn, urlAs } from '../db/roles.ts'
import { hasKeyFile, newKey, readKeyFile, readKeyList } from '../run/secrets/keys.ts'
import type { SealKeys } from '../run/secrets/seal.ts'

/** Parsed settings of the environment, to which modules add theirs. None of them is secret, so they may be logged. */
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
    /** Address for reports of vulnerabilities; null: none is published. */
    readonly securityContact: string | null
    /** Trusted proxies, or the number of proxies before the portal. */
    readonly trustedProxies: readonly string[] | number
    readonly rateLimitFactor: number
  }
  readonly vitePort: number
  readonly database: {
    readonly kind: 'embedded' | 'server'
    readonly connections: number
  }
  /** Parts for which production has no settings. */
  readonly unset: readonly ('cloud' | 'mail')[]
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
  readonly mail: MailSettings
  readonly invocationDir: string
  /**
   * IDs of keys that the operator has lost. Secrets that were encrypted with these keys are expected to be unreadable.
   */
  readonly lostKeys: readonly string[]
  readonly backups: {
    /** Null: BACKUP_S3_URL names another place, or none is set. */
    readonly folder: string | null
    readonly s3: { readonly url: string; readonly region: string; readonly keyId: string } | null
    /** age recipient for which backups are encrypted; null: backups are not encrypted. */
    readonly recipient: string | null
    /** Number of days whose last backup is retained; 0: no automatic backups. */
    readonly keep: number
  }
  /** Address of the metrics endpoint; null: off. With `npm start` the worker uses the next port. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  /** Address of a file that names the newest version; null: it is not read. */
  readonly updateUrl: string | null
}

/** Settings that must not be logged, to which modules add theirs. */
export interface Secrets {
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
  /** Texts of all secrets, which no output may contain. */
  readonly texts: readonly string[]
  /** Secret of which a health check proves that all processes have the same; null: none. */
  readonly proving: string | null
  readonly smtpUrl: string
  /** Secret access key for the bucket of backups; null: there is no bucket. */
  readonly backupSecretKey: string | null
  /** Proxy for connections to providers; its URL may contain a password. Null: direct connections. */
  readonly egressProxy: EgressProxy | null
}

export interface EgressProxy {
  readonly url: string
  readonly noProxy: readonly string[]
}

/** Values on which the settings of a module depend. */
interface Base {
  readonly production: boolean
  /** True if machines are emulated, so that nothing real may depend on the emulator. */
  readonly emulated: boolean
  readonly emulatorUrl: string
  /** Address of the emulator, for which add-ons may make exceptions; null: not in production. */
  readonly trustedEmulator: string | null
  readonly emulatorLatency: number
  /** Folder of this installation. */
  readonly dataDir: string
}

interface Given {
  readonly config?: Partial<Config>
  readonly secrets?: Partial<Secrets>
  /** True if the provider of the module is the emulator. Omitted: the module has no provider. */
  readonly emulated?: boolean
  /** A secret of which `GET /health/proof` proves that all processes have the same. */
  readonly proves?: string
}

/** Environment variables of a module, and the settings that it derives from them. */
export interface Settings {
  readonly variables: z.ZodRawShape
  /** The provider of machines. Its settings are read first, because others depend on whether machines are emulated. */
  readonly machines?: true
  readonly read: (env: never, base: Base) => Given
}

export const settings = <const Shape extends z.ZodRawShape>(declared: {
  readonly variables: Shape
  readonly machines?: true
  readonly read: (env: z.output<z.ZodObject<Shape>>, base: Base) => Given
}): Settings => declared

let connected: readonly Settings[] | null = null

/** Connects the settings of all modules, before the environment is read. */
export function connectSettings(all: readonly Settings[]): void {
  connected = all
}

function connectedSettings(): readonly Settings[] {
  if (connected === null) throw new Error('The settings are not connected.')
  return connected
}

/** Total number of connections of the embedded database. API, worker and tools share them. */
const CONNECTIONS_TO_EMBEDDED = 80

/** Idle limit of 12 hours: a session survives a lunch break but not a night. */
const IDLE_MINUTES_IN_PRODUCTION = 12 * 60

/**
 * Reads the settings. No other code reads the environment. Creates the installation's secret key in the data folder if
 * none is given.
 * @param forRestore true: a missing key is an error, because a new key would decrypt nothing of the restored data
 */
export function readConfig(
  given: NodeJS.ProcessEnv = process.env,
  { forRestore = false }: { readonly forRestore?: boolean } = {},
): { config: Config; secrets: Secrets } {
  const { env, secretTexts } = environmentIn(given, connectedSettings())
  const production = env.NODE_ENV === 'production'
  const dataDir = dataFolder(env.TRAINYARD_DATA)
  const ports = portsIn(env)
  const emulatorUrl = `http://127.0.0.1:${ports.emulator}`
  const modules = settingsOf(env, { production, emulatorUrl, emulatorLatency: env.EMULATOR_LATENCY, dataDir })
  const ownServer = env.DATABASE_URL !== undefined || env.DATABASE_APP_URL !== undefined

  if (!ownServer && env.DATABASE_CONNECTIONS > CONNECTIONS_TO_EMBEDDED) {
    throw new ConfigError(
      `DATABASE_CONNECTIONS must be ${CONNECTIONS_TO_EMBEDDED} or fewer with the embedded database.`,
    )
  }

  const mail = mailSettings(env, { azureEmulated: modules.emulated })

  const demo = !production && !ownServer && modules.allEmulated && mail.emulated

  if (demo) refuseToPublish('HOST', env.HOST, env.HOST)
  // A tunnel or a proxy on this machine makes a portal public that listens only here.
  if (demo && env.PUBLIC_URL !== undefined)
    refuseToPublish('PUBLIC_URL', env.PUBLIC_URL, new URL(env.PUBLIC_URL).hostname.replaceAll(/[[\]]/g, ''))

  const config = {
    ...modules.config,
    production,
    demo,
    // Visitors share the published passwords of demo users. If a second factor were required, the first visitor
    // would set up one and lock out the others.
    secondFactor: demo ? 'optional' : (env.SECOND_FACTOR ?? (production ? 'required' : 'optional')),
    idleMinutes: (env.IDLE_MINUTES ?? (production ? IDLE_MINUTES_IN_PRODUCTION : 0)) || null,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    dataDir,
    http: {
      host: env.HOST,
      port: ports.http,
      privacyNotice: env.PRIVACY_NOTICE_URL ?? null,
      securityContact: env.SECURITY_CONTACT ?? null,
      publicUrl: (env.PUBLIC_URL ?? `http://127.0.0.1:${ports.http}`).replace(/\/+$/, ''),
      rateLimitFactor: env.RATE_LIMIT_FACTOR,
      trustedProxies: trustedProxiesIn(env.TRUSTED_PROXIES),
    },
    vitePort: ports.vite,
    database: { kind: ownServer ? 'server' : 'embedded', connections: env.DATABASE_CONNECTIONS },
    unset: production
      ? (['cloud', 'mail'] as const).filter((part) => (part === 'cloud' ? modules.emulated : mail.emulated))
      : [],
    emulator: {
      needed: modules.emulated || mail.emulated,
      url: emulatorUrl,
      port: ports.emulator,
      smtpPort: ports.smtp,
      latency: env.EMULATOR_LATENCY,
      world: env.EMULATOR_WORLD ?? null,
    },
    mail,
    invocationDir: resolve(env.INIT_CWD),
    lostKeys: env.LOST_KEYS?.split(',') ?? [],
    backups: backupsIn(env, ownServer ? null : join(dataDir, 'backups')),
    updateUrl: env.UPDATE_URL ?? null,
    metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
  } satisfies Partial<Config> as Config
  const urls = databaseUrls(env, dataDir)
  const keys = secretKeys(env, { mustBeGiven: production && ownServer, mustExist: forRestore }, dataDir)
  const secrets = {
    ...modules.secrets,
    ...urls,
    keys,
    keysInFile: env.SECRET_KEYS === undefined,
    proving: modules.proving,
    texts: [
      ...secretTexts,
      ...[urls.databaseUrl, urls.ownerUrl ?? ''].flatMap((url) => loginIn(url).password ?? []),
      ...keys.map(({ bytes }) => bytes.toString('base64')),
    ],
    backupSecretKey: env.BACKUP_S3_SECRET_KEY ?? null,
    smtpUrl: env.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
    egressProxy: egressProxy(env),
  } satisfies Partial<Secrets> as Secrets
  return { config, secrets }
}

/** A setting as the operator gave it. */
export interface Setting {
  readonly name: string
  /** Empty if neither given nor by default; hidden if it is a secret. */
  readonly value: string
  readonly source: 'environment' | 'default' | 'not set'
}

/** Lists all settings with their values, and where these come from. */
export function listSettings(env: NodeJS.ProcessEnv = process.env): readonly Setting[] {
  const all: z.ZodRawShape = Object.assign({}, variables, ...connectedSettings().map((each) => each.variables))
  return Object.entries(all)
    .filter(([name]) => name !== 'INIT_CWD')
    .map(([name, shape]) => {
      const given = env[name] ?? ''
      const initial = (shape as z.ZodType).safeParse(undefined).data as string | number | undefined
      if (given === '')
        return { name, value: `${initial ?? ''}`, source: initial === undefined ? 'not set' : 'default' }
      return {
        name,
        value: (shape as z.ZodType).meta()?.['secret'] === true ? '(hidden)' : given,
        source: 'environment',
      }
    })
}

/** Reads the settings of all modules, those of the provider of machines first. */
function settingsOf(env: Environment, base: Omit<Base, 'emulated' | 'trustedEmulator'>) {
  const given = { config: {} as Partial<Config>, secrets: {} as Partial<Secrets>, proving: null as string | null }
  const machines: boolean[] = []
  const others: boolean[] = []
  const all = connectedSettings().toSorted((a, b) => Number(b.machines ?? false) - Number(a.machines ?? false))
  for (const each of all) {
    const emulated = machines.every(Boolean)
    const trustedEmulator = emulated && !base.production ? base.emulatorUrl : null
    const own = each.read(env as never, { ...base, emulated, trustedEmulator })
    Object.assign(given.config, own.config)
    Object.assign(given.secrets, own.secrets)
    given.proving ??= own.proves ?? null
    if (own.emulated !== undefined) (each.machines ? machines : others).push(own.emulated)
  }
  return { ...given, emulated: machines.every(Boolean), allEmulated: [...machines, ...others].every(Boolean) }
}

/** Throws if other machines could sign in to demo users. @throws ConfigError */
function refuseToPublish(setting: string, value: string, host: string): void {
  if (/^(?:(?:[\w-]+\.)*localhost|::1|127\.\d+\.\d+\.\d+)$/.test(host)) return
  throw new ConfigError(
    `${setting} is ${value}, and this portal has demo accounts with published passwords. Remove ${setting}, or connect real providers or an own database first.`,
  )
}

export function egressProxy(
  env: Pick<Environment, 'HTTPS_PROXY' | 'https_proxy' | 'NO_PROXY' | 'no_proxy'>,
): EgressProxy | null {
  const url = env.HTTPS_PROXY ?? env.https_proxy
  if (url === undefined) return null
  const noProxy = (env.NO_PROXY ?? env.no_proxy ?? '').split(',').map((entry) => entry.trim())
  return { url, noProxy: noProxy.filter((entry) => entry !== '') }
}

/** @param folder of backups if the operator names no place */
function backupsIn(env: Environment, folder: string | null): Config['backups'] {
  const { BACKUP_S3_URL: url, BACKUP_S3_REGION: region, BACKUP_S3_KEY_ID: keyId } = env
  if (url !== undefined) allOrNone(env, 'the bucket', ['BACKUP_S3_URL', 'BACKUP_S3_KEY_ID', 'BACKUP_S3_SECRET_KEY'])
  const named = env.BACKUP_FOLDER === undefined ? folder : resolve(env.BACKUP_FOLDER)
  return {
    folder: url === undefined ? named : null,
    s3: url === undefined ? null : { url, region, keyId: keyId! },
    recipient: env.BACKUP_RECIPIENT ?? null,
    keep: env.BACKUP_KEEP,
  }
}

function trustedProxiesIn(value: string): readonly string[] | number {
  if (value === 'none') return []
  return /^\d$/.test(value) ? Number(value) : value.split(/\s*,\s*/)
}

export function productVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

export function dataFolder(value: string): string {
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
  if (mustExist && !hasKeyFile(dataDir)) {
    // A restore with lost keys decrypts nothing. The next start makes the file.
    if (lost !== undefined) return [newKey()]
    throw new ConfigError(
      `There is no secret.key in ${dataDir}, and SECRET_KEYS is not set. Copy the secret.key of the installation that ` +
        'was backed up into that folder first. If it is lost, set LOST_KEYS to the key IDs in the first line of the backup.',
    )
  }
  return readKeyFile(dataDir)
}
