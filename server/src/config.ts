import { resolve } from 'node:path'
import { z } from 'zod'
import { embeddedPlace } from './db/embedded/place.ts'
import { readKeyFile, readKeyList } from './secrets/keys.ts'
import type { SealKey } from './secrets/seal.ts'

/** What the environment says, in the program's own words. Nothing in it is secret: it may be logged. */
export interface Config {
  readonly production: boolean
  readonly logLevel: LogLevel
  /** Absolute path of the folder that holds all that this installation keeps on disk. */
  readonly dataDir: string
  readonly http: { readonly host: string; readonly port: number; readonly publicUrl: string }
  readonly database: { readonly kind: 'embedded' | 'server' }
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
  }
  /** null: nobody can pay online. */
  readonly payments: PaymentSettings | null
  readonly mail: { readonly from: string; readonly emulated: boolean }
  /** Folder of Azure's official OpenAPI files, for the tests that check every request against them. */
  readonly azureOpenapi: string | null
}

export interface AzureSettings {
  readonly emulated: boolean
  readonly subscriptionId: string
  readonly tenantId: string
  readonly clientId: string
  /** Base addresses of the resource manager and of the sign-in service. */
  readonly resourceManager: string
  readonly authority: string
  /** Where people find Azure's portal. */
  readonly portalUrl: string
  /** Verified domain of the directory that lab users sign in with; null: none was set, and there are none. */
  readonly labDomain: string | null
}

export interface PaymentSettings {
  readonly emulated: boolean
  readonly keyId: string
  /** Base address of Razorpay's interface. */
  readonly url: string
  /** Address of the script that opens its checkout. */
  readonly script: string
}

export interface AwsSettings {
  readonly emulated: boolean
  readonly region: string
  /** Where an account's people sign in; {account} stands for its number. */
  readonly consoleUrl: string
  /** What follows a lab user's name in what they sign in with at the portal; null: there are no AWS lab users. */
  readonly labDomain: string | null
  /** The managed policy that says what a lab user may do. */
  readonly labPolicy: string
  /** Accounts to lease, each to one user; none: all share the portal's own account. */
  readonly pool: readonly string[]
  /** Name of the role that lets the portal into each leased account. */
  readonly role: string
  /** The organization's units between which leased accounts go; null: none are leased. */
  readonly units: { readonly lab: string; readonly cleanup: string } | null
}

export interface Secrets {
  /** PostgreSQL connection string, also for the embedded one. */
  readonly databaseUrl: string
  /** Keys that stored secrets are encrypted with; the first is used for new ones, all are used to read. */
  readonly keys: readonly [SealKey, ...SealKey[]]
  readonly azureClientSecret: string
  /** null: no AWS is used. */
  readonly awsCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  readonly razorpayKeySecret: string
  readonly razorpayWebhookSecret: string
  readonly smtpUrl: string
}

export type LogLevel = z.infer<typeof logLevel>

/** A setting is wrong; the message has one line for each, fit to show as it stands. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  error: 'must be one of fatal, error, warn, info, debug, trace, silent',
})
const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'must be a port number from 1 to 65535')
  .transform(Number)
  .refine((n) => n >= 1 && n <= 65_535, 'must be a port number from 1 to 65535')
const factor = z
  .string()
  .regex(/^[0-9]{1,6}(\.[0-9]{1,6})?$/, 'must be a number, 0 or more')
  .transform(Number)
const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address like ${example}` }).max(2_000)
const uuid = z.guid('must be a UUID')
const text = z.string().max(4_000)

const environment = z.object({
  NODE_ENV: text.default('development'),
  PORT: port.default(4000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: url(/^https?$/, 'https://portal.example.com').optional(),
  TRAINYARD_DATA: text.default('./data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/trainyard').optional(),
  EMULATOR_PORT: port.default(4010),
  EMULATOR_SMTP_PORT: port.default(4025),
  EMULATOR_LATENCY: factor.default(1),
  AZURE_SUBSCRIPTION_ID: uuid.optional(),
  AZURE_TENANT_ID: uuid.optional(),
  AZURE_CLIENT_ID: uuid.optional(),
  AZURE_CLIENT_SECRET: text.optional(),
  AZURE_LAB_DOMAIN: text
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,6}$/, 'must be a domain like labs.example.com')
    .optional(),
  AZURE_OPENAPI: text.optional(),
  RAZORPAY_KEY_ID: text.optional(),
  RAZORPAY_KEY_SECRET: text.optional(),
  RAZORPAY_WEBHOOK_SECRET: text.optional(),
  RAZORPAY_API_URL: url(/^https?$/, 'https://api.razorpay.com').optional(),
  RAZORPAY_CHECKOUT_URL: url(/^https?$/, 'https://checkout.razorpay.com/v1/checkout.js').optional(),
  AWS_LAB_ACCESS_KEY_ID: text.optional(),
  AWS_LAB_SECRET_ACCESS_KEY: text.optional(),
  AWS_LAB_REGION: text.regex(/^[a-z]{2}(-[a-z]+)+-[0-9]$/, 'must be a region like ap-south-1').default('us-east-1'),
  AWS_LAB_DOMAIN: text
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,6}$/, 'must be a domain like aws.labs.example.com')
    .optional(),
  AWS_LAB_POLICY: text
    .regex(/^arn:aws[a-z-]*:iam::(aws|[0-9]{12}):policy\/\S+$/, 'must be the ARN of a managed policy')
    .default('arn:aws:iam::aws:policy/PowerUserAccess'),
  AWS_ACCOUNT_POOL: text
    .regex(/^[0-9]{12}(,[0-9]{12})*$/, 'must be account numbers of 12 digits, separated by commas')
    .optional(),
  AWS_ACCOUNT_ROLE: text.default('OrganizationAccountAccessRole'),
  AWS_LAB_UNIT: text.optional(),
  AWS_CLEANUP_UNIT: text.optional(),
  SMTP_URL: url(/^smtps?$/, 'smtps://user:password@mail.example.com:465').optional(),
  MAIL_FROM: text
    .regex(
      /^[^\r\n<>]*(<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an address like Trainyard <portal@example.com>',
    )
    .default('Trainyard <trainyard@localhost.test>'),
  REMOTE_ACCESS_URL: url(/^https?$/, 'https://guacamole.example.com/guacamole/').optional(),
  SSH_PROXY: url(/^http$/, 'http://proxy.example.com:3128').optional(),
  SECRET_KEYS: text.optional(),
  LOG_LEVEL: logLevel.default('info'),
})

/** What the emulator accepts as its one subscription and its one client; nothing of it is worth stealing. */
const emulated = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-000000000003',
  clientSecret: 'emulated',
  labDomain: 'labs.test',
  awsKeyId: 'AKIAEMULATEDPORTAL00',
  awsSecret: 'emulated',
  awsLabDomain: 'aws.labs.test',
  awsLabUnit: 'ou-emul-labs0001',
  awsCleanupUnit: 'ou-emul-cleanup1',
  razorpayKeyId: 'rzp_test_EmulatedYard01',
  razorpayKeySecret: 'emulated-key-secret',
  razorpayWebhookSecret: 'emulated-webhook-secret',
}

const razorpayNames = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const
// Not the names that AWS's own tools read: whoever has those set for something else must not meet lab users there.
const awsNames = ['AWS_LAB_ACCESS_KEY_ID', 'AWS_LAB_SECRET_ACCESS_KEY'] as const
const azureNames = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'] as const

/**
 * Reads the settings; the only place that reads the environment. An empty variable counts as not set. Makes the
 * installation's own secret key in the data folder when none is given.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): { config: Config; secrets: Secrets } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = environment.safeParse(given)
  if (!read.success) throw new ConfigError(read.error.issues.map((i) => `${i.path.join('.')} ${i.message}.`).join('\n'))
  const e = read.data

  const realAzure = allOrNone(e, 'Azure', azureNames)
  const realRazorpay = allOrNone(e, 'Razorpay', razorpayNames)
  const missingAws = awsNames.filter((name) => e[name] === undefined)
  if (missingAws.length === 1)
    throw new ConfigError(`${missingAws[0]} must be set too: AWS needs ${awsNames.join(' and ')}.`)
  const aws = awsSettings(e, missingAws.length === 0, realAzure)
  const production = e.NODE_ENV === 'production'
  const dataDir = resolve(e.TRAINYARD_DATA)
  const emulatorUrl = `http://127.0.0.1:${e.EMULATOR_PORT}`
  const inUse = new Map<number, string>()
  for (const name of ['PORT', 'EMULATOR_PORT', 'EMULATOR_SMTP_PORT'] as const) {
    const other = inUse.get(e[name])
    if (other !== undefined) throw new ConfigError(`${name} must differ from ${other}: both are ${e[name]}.`)
    inUse.set(e[name], name)
  }

  const config: Config = {
    production,
    logLevel: e.LOG_LEVEL,
    dataDir,
    http: {
      host: e.HOST,
      port: e.PORT,
      publicUrl: (e.PUBLIC_URL ?? `http://127.0.0.1:${e.PORT}`).replace(/\/+$/, ''),
    },
    database: { kind: e.DATABASE_URL === undefined ? 'embedded' : 'server' },
    emulator: {
      needed: !realAzure || e.SMTP_URL === undefined,
      url: emulatorUrl,
      port: e.EMULATOR_PORT,
      smtpPort: e.EMULATOR_SMTP_PORT,
      latency: e.EMULATOR_LATENCY,
    },
    azure: {
      emulated: !realAzure,
      subscriptionId: e.AZURE_SUBSCRIPTION_ID ?? emulated.subscriptionId,
      tenantId: e.AZURE_TENANT_ID ?? emulated.tenantId,
      clientId: e.AZURE_CLIENT_ID ?? emulated.clientId,
      resourceManager: realAzure ? 'https://management.azure.com' : emulatorUrl,
      authority: realAzure ? 'https://login.microsoftonline.com' : emulatorUrl,
      portalUrl: realAzure ? 'https://portal.azure.com' : `${emulatorUrl}/portal`,
      labDomain: e.AZURE_LAB_DOMAIN ?? (realAzure ? null : emulated.labDomain),
    },
    remote: {
      page: e.REMOTE_ACCESS_URL?.replace(/#.*$/, '') ?? '/remote/',
      sshProxy: e.SSH_PROXY ?? (realAzure ? null : emulatorUrl),
    },
    // The emulator takes no money: where machines cost some, or somebody means it, nobody can pay with it.
    payments:
      !realRazorpay && (production || realAzure)
        ? null
        : {
            emulated: !realRazorpay,
            keyId: e.RAZORPAY_KEY_ID ?? emulated.razorpayKeyId,
            url: (e.RAZORPAY_API_URL ?? (realRazorpay ? 'https://api.razorpay.com' : emulatorUrl)).replace(/\/+$/, ''),
            script:
              e.RAZORPAY_CHECKOUT_URL ??
              (realRazorpay ? 'https://checkout.razorpay.com/v1/checkout.js' : `${emulatorUrl}/v1/checkout.js`),
          },
    aws: { ...aws, consoleUrl: aws.emulated ? `${emulatorUrl}/aws/signin?account={account}` : aws.consoleUrl },
    mail: { from: e.MAIL_FROM, emulated: e.SMTP_URL === undefined },
    azureOpenapi: e.AZURE_OPENAPI === undefined ? null : resolve(e.AZURE_OPENAPI),
  }
  const secrets: Secrets = {
    databaseUrl: e.DATABASE_URL ?? embeddedPlace(dataDir).url,
    keys: secretKeys(e.SECRET_KEYS, production && e.DATABASE_URL !== undefined, dataDir),
    azureClientSecret: e.AZURE_CLIENT_SECRET ?? emulated.clientSecret,
    awsCredentials: awsCredentials(e, aws.emulated),
    razorpayKeySecret: e.RAZORPAY_KEY_SECRET ?? emulated.razorpayKeySecret,
    razorpayWebhookSecret: e.RAZORPAY_WEBHOOK_SECRET ?? emulated.razorpayWebhookSecret,
    smtpUrl: e.SMTP_URL ?? `smtp://127.0.0.1:${e.EMULATOR_SMTP_PORT}`,
  }
  return { config, secrets }
}

/** Whether a provider's settings are given; some of them without the others are a mistake. */
function allOrNone(e: Readonly<Record<string, unknown>>, provider: string, names: readonly string[]): boolean {
  const missing = names.filter((name) => e[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return missing.length === 0
  throw new ConfigError(`${missing.join(' and ')} must be set too: ${provider} needs all of ${names.join(', ')}.`)
}

type Environment = z.output<typeof environment>

/** AWS is the emulator's as long as nothing real is set; beside a real Azure it is used only where its key is given. */
function awsSettings(e: Environment, given: boolean, realAzure: boolean): AwsSettings {
  const isEmulated = !given && !realAzure
  const pool = e.AWS_ACCOUNT_POOL?.split(',') ?? []
  const lab = e.AWS_LAB_UNIT ?? (isEmulated ? emulated.awsLabUnit : undefined)
  const cleanup = e.AWS_CLEANUP_UNIT ?? (isEmulated ? emulated.awsCleanupUnit : undefined)
  if (pool.length > 0 && (lab === undefined || cleanup === undefined)) {
    throw new ConfigError(
      'AWS_LAB_UNIT and AWS_CLEANUP_UNIT must be set with AWS_ACCOUNT_POOL: leased accounts go between them.',
    )
  }
  return {
    emulated: isEmulated,
    region: e.AWS_LAB_REGION,
    consoleUrl: 'https://{account}.signin.aws.amazon.com/console',
    labDomain: given ? (e.AWS_LAB_DOMAIN ?? null) : isEmulated ? (e.AWS_LAB_DOMAIN ?? emulated.awsLabDomain) : null,
    labPolicy: e.AWS_LAB_POLICY,
    pool,
    role: e.AWS_ACCOUNT_ROLE,
    units: lab === undefined || cleanup === undefined ? null : { lab, cleanup },
  }
}

function awsCredentials(e: Environment, isEmulated: boolean): Secrets['awsCredentials'] {
  if (isEmulated) return { accessKeyId: emulated.awsKeyId, secretAccessKey: emulated.awsSecret }
  const { AWS_LAB_ACCESS_KEY_ID: accessKeyId, AWS_LAB_SECRET_ACCESS_KEY: secretAccessKey } = e
  return accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey }
}

/** The environment that a child process gets: ours, and what is added to it. */
export function environmentWith(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...extra }
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
