import { parseTags, tagsProblem } from '@trainyard/contract/words/azure-tags.ts'
import { isIP } from 'node:net'
import { z } from 'zod'
import { IDLE_MINUTES_MAX, IDLE_MINUTES_MIN, SECOND_FACTOR_RULES } from '@trainyard/contract/words/sign-in.ts'
import { isPrefix, isPrivatePrefix } from '@trainyard/contract/words/network.ts'
import { ConfigError } from '../core/errors.ts'

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
const count = z
  .string()
  .regex(/^[1-9][0-9]{0,3}$/, 'must be a whole number from 1 to 9999')
  .transform(Number)
const CONNECTIONS_SENTENCE = 'must be a number of connections, 4 to 500'
const connections = z
  .string()
  .regex(/^[1-9][0-9]{0,2}$/, CONNECTIONS_SENTENCE)
  .transform(Number)
  .refine((n) => n >= 4 && n <= 500, CONNECTIONS_SENTENCE)
const positiveFactor = factor.refine((n) => n > 0, 'must be a number above 0')
const daysFrom = (least: number) => {
  const sentence = `must be a number of days, ${least} or more`
  return z
    .string()
    .regex(/^[0-9]{2,5}$/, sentence)
    .transform(Number)
    .refine((n) => n >= least, sentence)
}
const IDLE_SENTENCE = `must be a number of minutes, ${IDLE_MINUTES_MIN} to ${IDLE_MINUTES_MAX}, or 0 for no limit`
const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address like ${example}` }).max(2_000)
const text = z.string().max(4_000)
const database = url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/trainyard')
const uuid = z.guid('must be a UUID')
const domain = (example: string) =>
  text.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, `must be a domain like ${example}`)

/** Returns true for an address, or a network in CIDR notation that is not the whole Internet. */
function isRange(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  const maximum = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return maximum > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maximum))
}

const areProxies = (value: string): boolean =>
  value === 'none' ||
  /^[1-9]$/.test(value) ||
  value.split(/\s*,\s*/).every((entry) => ['loopback', 'linklocal', 'uniquelocal'].includes(entry) || isRange(entry))

const areTags = (list: string): boolean => {
  const tags = parseTags(list.replaceAll(',', '\n'))
  return tags !== null && tagsProblem(tags) === null
}

const variables = z.object({
  NODE_ENV: text.default('development'),
  PORT: port.optional(),
  HOST: text.default('127.0.0.1'),
  TRUSTED_PROXIES: text
    .refine(
      areProxies,
      'must be none, a number of proxies, or addresses and networks like loopback,10.0.0.0/8, separated by commas',
    )
    .default('loopback'),
  PUBLIC_URL: url(/^https?$/, 'https://portal.example.com').optional(),
  PRIVACY_NOTICE_URL: url(/^https$/, 'https://example.com/privacy').optional(),
  TRAINYARD_DATA: text.default('./data'),
  DATABASE_URL: database.optional(),
  DATABASE_APP_URL: database.optional(),
  DATABASE_CONNECTIONS: connections.default(16),
  EMULATOR_PORT: port.optional(),
  EMULATOR_SMTP_PORT: port.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  EMULATOR_LATENCY: factor.default(0.1),
  EMULATOR_WORLD: z.enum(['open', 'corporate'], 'must be open or corporate').optional(),
  AZURE_SUBSCRIPTION_ID: uuid.optional(),
  AZURE_TENANT_ID: uuid.optional(),
  AZURE_CLIENT_ID: uuid.optional(),
  AZURE_CLIENT_SECRET: text.optional(),
  AZURE_CLIENT_CERTIFICATE_PATH: text.optional(),
  AZURE_CLIENT_CERTIFICATE_PASSWORD: text.optional(),
  AZURE_FEDERATED_TOKEN_FILE: text.optional(),
  AZURE_MANAGED_IDENTITY: z.enum(['system', 'user'], 'must be system or user').optional(),
  AZURE_NETWORK_RANGE: text
    .refine(
      (value) => isPrivatePrefix(value) && value.endsWith('/16'),
      'must be a private range of /16, like 10.20.0.0/16',
    )
    .default('10.0.0.0/16'),
  AZURE_LAB_DOMAIN: domain('labs.example.com').optional(),
  AZURE_LAB_SANDBOX_LIMIT: count.optional(),
  AZURE_LAB_SANDBOX_TAGS: text.refine(areTags, 'must be tags like CostCentre=4711,Owner=labs').optional(),
  RAZORPAY_KEY_ID: text.optional(),
  RAZORPAY_KEY_SECRET: text.optional(),
  RAZORPAY_WEBHOOK_SECRET: text.optional(),
  RAZORPAY_API_URL: url(/^https?$/, 'https://api.razorpay.com').optional(),
  RAZORPAY_CHECKOUT_URL: url(/^https?$/, 'https://checkout.razorpay.com/v1/checkout.js').optional(),
  AWS_LAB_ACCESS_KEY_ID: text.optional(),
  AWS_LAB_SECRET_ACCESS_KEY: text.optional(),
  AWS_LAB_REGION: text.regex(/^[a-z]{2}(-[a-z]+)+-[0-9]$/, 'must be a region like ap-south-1').default('us-east-1'),
  AWS_LAB_DOMAIN: domain('aws.labs.example.com').optional(),
  AWS_LAB_POLICY: text
    .regex(/^arn:aws[a-z-]*:iam::(aws|[0-9]{12}):policy\/\S+$/, 'must be the ARN of a managed policy')
    .default('arn:aws:iam::aws:policy/PowerUserAccess'),
  AWS_ACCOUNT_POOL: text
    .regex(/^[0-9]{12}(,[0-9]{12})*$/, 'must be account numbers of 12 digits, separated by commas')
    .optional(),
  AWS_ACCOUNT_ROLE: text.default('OrganizationAccountAccessRole'),
  AWS_LAB_UNIT: text.optional(),
  AWS_CLEANUP_UNIT: text.optional(),
  OPENID_PRIVATE_HOSTS: text
    .regex(/^[a-z0-9.:-]+(,[a-z0-9.:-]+)*$/, 'must be names of hosts, separated by commas')
    .optional(),
  LMS_PRIVATE_ORIGINS: text
    .regex(
      /^https?:\/\/[a-z0-9.:[\]-]+(,https?:\/\/[a-z0-9.:[\]-]+)*$/,
      'must be origins like https://lms.example.com, separated by commas',
    )
    .optional(),
  WEBHOOK_PRIVATE_RANGES: text
    .refine(
      (value) => value.split(',').every(isRange),
      'must be addresses or address ranges like 10.20.0.0/16, separated by commas',
    )
    .optional(),
  DNS_SERVERS: text
    .regex(
      /^[0-9a-f.:[\]]+(,[0-9a-f.:[\]]+)*$/i,
      'must be addresses like 10.0.0.53 or 10.0.0.53:5353, separated by commas',
    )
    .optional(),
  SMTP_URL: url(/^smtps?$/, 'smtps://user:password@mail.example.com:465').optional(),
  MAIL_METHOD: z.enum(['smtp', 'smtp-oauth2', 'graph'], 'must be smtp, smtp-oauth2 or graph').default('smtp'),
  MAIL_FROM: text
    .regex(
      /^[^\r\n<>]*(<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an address like Trainyard <portal@example.com>',
    )
    .default('Trainyard <trainyard@localhost.test>'),
  REMOTE_ACCESS_URL: url(/^https?$/, 'https://guacamole.example.com/guacamole/').optional(),
  PEER_URL: url(/^https?$/, 'http://10.0.0.7:4000').optional(),
  SSH_PROXY: url(/^http$/, 'http://proxy.example.com:3128').optional(),
  HTTPS_PROXY: url(/^https?$/, 'http://proxy.example.com:3128').optional(),
  https_proxy: url(/^https?$/, 'http://proxy.example.com:3128').optional(),
  NO_PROXY: text.optional(),
  no_proxy: text.optional(),
  EGRESS_ADDRESSES: text
    .refine(
      (value) => value.split(',').every((given) => isPrefix(given.includes('/') ? given.trim() : `${given.trim()}/32`)),
      'must be addresses or address ranges like 203.0.113.7,198.51.100.0/28, separated by commas',
    )
    .optional(),
  GATEWAY_PORTAL: url(/^https?$/, 'https://portal.example.com').optional(),
  GATEWAY_TOKEN: text.optional(),
  GATEWAY_RANGES: text
    .refine(
      (value) => value.split(',').every((prefix) => isPrivatePrefix(prefix.trim())),
      'must be private address ranges like 10.20.0.0/16, separated by commas',
    )
    .optional(),
  SECRET_KEYS: text.optional(),
  LOST_KEYS: text
    .regex(/^[A-Za-z0-9_-]{1,32}(,[A-Za-z0-9_-]{1,32})*$/, 'must be IDs of keys, separated by commas')
    .optional(),
  RATE_LIMIT_FACTOR: positiveFactor.default(1),
  AUDIT_SIGNING_KEY: text.optional(),
  AUDIT_RETENTION_DAYS: daysFrom(365).optional(),
  SECOND_FACTOR: z.enum(SECOND_FACTOR_RULES, { error: 'must be optional or required' }).optional(),
  IDLE_MINUTES: z
    .string()
    .regex(/^[0-9]{1,5}$/, IDLE_SENTENCE)
    .transform(Number)
    .refine((n) => n === 0 || (n >= IDLE_MINUTES_MIN && n <= IDLE_MINUTES_MAX), IDLE_SENTENCE)
    .optional(),
  /** npm sets this variable to the folder from which the user called it. npm itself runs in the project's folder. */
  INIT_CWD: text.default('.'),
  BACKUP_KEEP: z
    .string()
    .regex(/^[0-9]{1,3}$/, 'must be a number of backups, 0 to 999')
    .transform(Number)
    .default(7),
  BACKUP_RECIPIENT: text
    .regex(/^age1[a-z0-9]{20,4000}$/, 'must be a public key of age, as `age-keygen` prints it: age1...')
    .optional(),
  LOG_LEVEL: logLevel.default('info'),
})

export type Environment = z.output<typeof variables>
export type LogLevel = z.output<typeof logLevel>

/** @throws ConfigError that lists every invalid variable */
export function environmentIn(env: NodeJS.ProcessEnv): Environment {
  const provided = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = variables.safeParse(provided)
  if (!read.success) throw new ConfigError(read.error.issues.map((i) => `${i.path.join('.')} ${i.message}.`).join('\n'))
  return read.data
}

/** @throws ConfigError if only some of a provider's settings are given */
export function allOrNone(env: Environment, provider: string, names: readonly (keyof Environment)[]): boolean {
  const missing = names.filter((name) => env[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return missing.length === 0
  throw new ConfigError(`${missing.join(' and ')} must be set too: ${provider} needs all of ${names.join(', ')}.`)
}
