import { isIP } from 'node:net'
import { z } from 'zod'
import { IDLE_MINUTES_MAX, IDLE_MINUTES_MIN, SECOND_FACTOR_RULES } from '../../contract/words/sign-in.ts'
import { ConfigError } from '../core/errors.ts'
import { loginIn } from '../db/roles.ts'

/** Marks a variable whose text is never logged nor shown. */
export const secret = <Shape extends z.ZodType>(shape: Shape): Shape => shape.meta({ secret: true })

/** Returns the texts of the variables that are secrets, and the passwords in those that are addresses. */
function secretsIn(variables: z.ZodRawShape, env: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(variables).flatMap(([name, shape]) => {
    const value = env[name]
    if (typeof value !== 'string' || (shape as z.ZodType).meta()?.['secret'] !== true) return []
    if (!/^[a-z]+:\/\//.test(value)) return [value]
    const { password } = loginIn(value)
    return password === null ? [] : [password]
  })
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
export const count = z
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
export const daysFrom = (least: number) => {
  const sentence = `must be a number of days, ${least} or more`
  return z
    .string()
    .regex(/^[0-9]{2,5}$/, sentence)
    .transform(Number)
    .refine((n) => n >= least, sentence)
}
const IDLE_SENTENCE = `must be a number of minutes, ${IDLE_MINUTES_MIN} to ${IDLE_MINUTES_MAX}, or 0 for no limit`
export const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address like ${example}` }).max(2_000)
export const text = z.string().max(4_000)
const database = url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/trainyard')
export const uuid = z.guid('must be a UUID')
export const domain = (example: string) =>
  text.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, `must be a domain like ${example}`)

/** Returns true for an address, or a network in CIDR notation that is not the whole Internet. */
export function isRange(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  const maximum = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return maximum > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maximum))
}

const areProxies = (value: string): boolean =>
  value === 'none' ||
  /^[1-9]$/.test(value) ||
  value.split(/\s*,\s*/).every((entry) => ['loopback', 'linklocal', 'uniquelocal'].includes(entry) || isRange(entry))

/** Settings of the platform. A description ends with the default where it depends on other settings. */
export const variables = {
  NODE_ENV: text
    .refine((name) => name === 'production' || !/^prod/i.test(name), 'must be production')
    .default('development')
    .describe(
      'In `production`, no demo data is created. Demo data is also not created if Azure, AWS, Razorpay, the mail server or the database is a real one; demo accounts of an earlier start are then closed.',
    ),
  PORT: port.optional().describe('Port of the API and the web app. Default: 4000.'),
  HOST: text
    .default('127.0.0.1')
    .describe('Address on which the API listens. With demo accounts it must be a loopback address.'),
  TRUSTED_PROXIES: text
    .refine(
      areProxies,
      'must be none, a number of proxies, or addresses and networks like loopback,10.0.0.0/8, separated by commas',
    )
    .default('loopback')
    .describe(
      'Reverse proxies whose `X-Forwarded-For` is trusted: their number, such as 1; or addresses, networks, `loopback`, `linklocal` and `uniquelocal`, separated by commas; or `none`. Prefer the number if every client passes the proxies: clients in a trusted network can invent their address. All users behind a proxy that is missing here share its rate limits.',
    ),
  PUBLIC_URL: url(/^https?$/, 'https://portal.example.com')
    .optional()
    .describe('URL that users open, with which links in e-mails start. Default: http://127.0.0.1:PORT.'),
  PRIVACY_NOTICE_URL: url(/^https$/, 'https://example.com/privacy')
    .optional()
    .describe(
      'Address of your privacy notice, to which `/privacy` redirects. Default: a general notice of the portal.',
    ),
  SECURITY_CONTACT: text
    .regex(
      /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      'must be an address like mailto:security@example.com or https://example.com/security',
    )
    .optional()
    .describe(
      'Address to which people report vulnerabilities, `mailto:` or `https:`, which `/.well-known/security.txt` names (RFC 9116). Default: no such file.',
    ),
  UPDATE_URL: url(/^https$/, 'https://example.com/trainyard.json')
    .optional()
    .describe(
      'Address of a JSON file with `version` and `url` of the newest version, which a worker reads daily for Home of superadmins. It sends the version of the portal and nothing else. Default: no check.',
    ),
  TRAINYARD_DATA: text.default('./data').describe('Folder for all files of the portal.'),
  DATABASE_URL: secret(database.optional()).describe(
    'PostgreSQL 15 or newer, with the login of the owner: it owns its database and may create roles. Default: the embedded PostgreSQL.',
  ),
  DATABASE_APP_URL: secret(database.optional()).describe(
    'The same database with the login of API and worker, which owns nothing. API and worker then need no DATABASE_URL. Default: derived from DATABASE_URL.',
  ),
  DATABASE_CONNECTIONS: connections
    .default(16)
    .describe('Size of the connection pool of each API and worker, 4 to 500; at most 80 with the embedded PostgreSQL.'),
  EMULATOR_PORT: port.optional().describe('HTTP port of the emulator on 127.0.0.1. Default: PORT + 10.'),
  EMULATOR_SMTP_PORT: port.optional().describe('SMTP port of the emulator on 127.0.0.1. Default: PORT + 25.'),
  METRICS_PORT: port.optional().describe('Port of the Prometheus metrics. Default: no metrics.'),
  METRICS_HOST: text.default('127.0.0.1').describe('Address of the Prometheus metrics.'),
  EMULATOR_LATENCY: factor
    .default(0.1)
    .describe("Factor of the emulator's delays. 1: as recorded from Azure; 0: no delay."),
  EMULATOR_WORLD: z
    .enum(['open', 'corporate'], 'must be open or corporate')
    .optional()
    .describe(
      'Ready-made subscription of the emulator: `open`, or `corporate` with policies, tags and limits. Default: `open` at the first start, then the value of the last run.',
    ),
  SMTP_URL: secret(url(/^smtps?$/, 'smtps://user:password@mail.example.com:465').optional()).describe(
    "Mail server. With `smtp://` the server must offer STARTTLS, unless it is on this machine. Default: the emulator's mailbox.",
  ),
  MAIL_METHOD: z
    .enum(['smtp', 'smtp-oauth2', 'graph'], 'must be smtp, smtp-oauth2 or graph')
    .default('smtp')
    .describe('How e-mails are sent: `smtp`, `smtp-oauth2` or `graph`.'),
  MAIL_FROM: text
    .regex(
      /^[^\r\n<>]*(<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an address like Trainyard <portal@example.com>',
    )
    .default('Trainyard <trainyard@localhost.test>')
    .describe('Sender of e-mails.'),
  HTTPS_PROXY: secret(url(/^https?$/, 'http://proxy.example.com:3128').optional()).describe(
    'HTTP proxy for connections with TLS to Azure, Entra, Microsoft Graph, AWS, Razorpay, identity providers, LMSs, webhooks and the mail server. Not used for the database, for machines (SSH_PROXY) and between API processes. Default: direct connections.',
  ),
  https_proxy: secret(url(/^https?$/, 'http://proxy.example.com:3128').optional()).describe('The same as HTTPS_PROXY.'),
  NO_PROXY: text
    .optional()
    .describe(
      'Hosts that are reached without HTTPS_PROXY, separated by commas: `.example.com` for a domain and its subdomains, otherwise exact names or addresses.',
    ),
  no_proxy: text.optional().describe('The same as NO_PROXY.'),
  SECRET_KEYS: secret(text.optional()).describe(
    'List of `id:base64` with 32 bytes each, separated by commas. The first key encrypts, all keys decrypt. Required in production with DATABASE_URL. Default: TRAINYARD_DATA/secret.key, created once.',
  ),
  LOST_KEYS: text
    .regex(/^[A-Za-z0-9_-]{1,32}(,[A-Za-z0-9_-]{1,32})*$/, 'must be IDs of keys, separated by commas')
    .optional()
    .describe(
      'IDs of keys that are permanently lost. Without it, start and restore fail if the configured keys decrypt none of the stored secrets.',
    ),
  RATE_LIMIT_FACTOR: positiveFactor
    .default(1)
    .describe(
      'Factor of the rate limits of users, organisations, API keys, probes and webhooks. Limits against password guessing do not change.',
    ),
  SECOND_FACTOR: z
    .enum(SECOND_FACTOR_RULES, { error: 'must be optional or required' })
    .optional()
    .describe(
      '`required`: admins and superadmins must set up a second factor within 7 days, unless their organisation has its own rule. Default: `required` in production, otherwise `optional`; always `optional` in the demo.',
    ),
  IDLE_MINUTES: z
    .string()
    .regex(/^[0-9]{1,5}$/, IDLE_SENTENCE)
    .transform(Number)
    .refine((n) => n === 0 || (n >= IDLE_MINUTES_MIN && n <= IDLE_MINUTES_MAX), IDLE_SENTENCE)
    .optional()
    .describe(
      'Minutes after which an unused session ends, 5 to 10080, or 0 for no limit, for organisations without a limit of their own. For superadmins the shorter limit applies. Applies to new sessions. Default: 720 in production, otherwise 0.',
    ),
  /** npm sets this variable to the folder from which the user called it. npm itself runs in the project's folder. */
  INIT_CWD: text.default('.').describe('Set by npm: the folder from which a command was called.'),
  BACKUP_KEEP: z
    .string()
    .regex(/^[0-9]{1,3}$/, 'must be a number of backups, 0 to 999')
    .transform(Number)
    .default(7)
    .describe(
      'Number of days of which the last automatic backup is kept, in addition to the last ones of 4 weeks and 12 months. 0: no automatic backups.',
    ),
  BACKUP_FOLDER: text
    .optional()
    .describe(
      'Folder of the automatic backups. Default: TRAINYARD_DATA/backups; with DATABASE_URL no automatic backups, unless BACKUP_S3_URL is set.',
    ),
  BACKUP_S3_URL: url(/^https?$/, 'https://s3.eu-west-1.amazonaws.com/BUCKET/trainyard')
    .refine((value) => /^https?:\/\/[^/]+\/[^/?#]+[^?#]*$/.test(value), 'must be an address like https://HOST/BUCKET')
    .optional()
    .describe(
      'Bucket of the automatic backups in place of a folder: https://HOST/BUCKET/PREFIX, of any service with the API of S3.',
    ),
  BACKUP_S3_REGION: text.default('us-east-1').describe('Region of the bucket.'),
  BACKUP_S3_KEY_ID: text.optional().describe('Access key ID for the bucket.'),
  BACKUP_S3_SECRET_KEY: secret(text.optional()).describe('Secret access key for the bucket.'),
  BACKUP_RECIPIENT: text
    .regex(/^age1[a-z0-9]{20,4000}$/, 'must be a public key of age, as `age-keygen` prints it: age1...')
    .optional()
    .describe('Public key of age for which backups are encrypted. Default: not encrypted.'),
  LOG_LEVEL: logLevel
    .optional()
    .describe('fatal, error, warn, info, debug, trace or silent. Default: warn, in production info.'),
}

export type Environment = z.output<z.ZodObject<typeof variables>>
export type LogLevel = z.output<typeof logLevel>

/**
 * Reads the variables of the platform and of all given modules.
 * @throws ConfigError that lists every invalid variable, and every one whose name is almost that of a setting
 */
export function environmentIn(
  env: NodeJS.ProcessEnv,
  modules: readonly { readonly variables: z.ZodRawShape }[],
): { readonly env: Environment; readonly secretTexts: readonly string[] } {
  const all = Object.assign({ ...variables }, ...modules.map((each) => each.variables)) as typeof variables
  const provided = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = z.object(all).safeParse(provided)
  const problems = [
    ...misspelt(Object.keys(provided), Object.keys(all)),
    ...(read.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`),
  ]
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return { env: read.data!, secretTexts: secretsIn(all, provided) }
}

/** @throws ConfigError if only some of a provider's settings are given */
export function allOrNone<Env extends object>(
  env: Env,
  provider: string,
  names: readonly (keyof Env & string)[],
): boolean {
  const missing = names.filter((name) => env[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return missing.length === 0
  throw new ConfigError(`${missing.join(' and ')} must be set too: ${provider} needs all of ${names.join(', ')}.`)
}

/** Variables of other programs whose names are almost those of settings. */
const OTHERS = new Set(['HTTP_PROXY', 'http_proxy'])

/** Returns a sentence for each variable that would be ignored although its name is almost that of a setting. */
function misspelt(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((name) => !known.includes(name) && !OTHERS.has(name))
    .flatMap((name) => {
      const meant = known.find((each) => {
        // Short names such as PORT are close to many others, such as PATH.
        const allowed = each.length <= 5 ? 0 : each.length <= 8 ? 1 : 2
        return changesBetween(name.toUpperCase(), each.toUpperCase()) <= allowed
      })
      return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`]
    })
}

/** Returns the least number of letters to add, remove or replace that turns one word into another (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [place, wanted] of [...other].entries())
      next.push(Math.min(row[place]! + Number(letter !== wanted), row[place + 1]! + 1, next[place]! + 1))
    row = next
  }
  return row.at(-1)!
}
