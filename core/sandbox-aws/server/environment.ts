import { z } from 'zod'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { allOrNone, text, domain, secret } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly aws: AwsSettings
  }
  interface Secrets {
    readonly awsCredentials: AwsCredentials | null
  }
}

const variables = {
  AWS_LAB_ACCESS_KEY_ID: text
    .optional()
    .describe(
      "The real AWS, with its secret. Not the name that AWS's own tools read, so that a key for another purpose creates no lab users. Default: the emulator, or no AWS lab users if Azure is real.",
    ),
  AWS_LAB_SECRET_ACCESS_KEY: secret(text.optional()).describe('Secret of the key.'),
  AWS_LAB_REGION: text
    .regex(/^[a-z]{2}(-[a-z]+)+-[0-9]$/, 'must be a region like ap-south-1')
    .default('us-east-1')
    .describe('Region for signing calls.'),
  AWS_LAB_DOMAIN: domain('aws.labs.example.com')
    .optional()
    .describe(
      "Suffix of a lab user's sign-in name at the portal; needs no mailbox. Default: none; with the emulator aws.labs.test.",
    ),
  AWS_LAB_POLICY: text
    .regex(/^arn:aws[a-z-]*:iam::(aws|[0-9]{12}):policy\/\S+$/, 'must be the ARN of a managed policy')
    .default('arn:aws:iam::aws:policy/PowerUserAccess')
    .describe("Managed policy with the permissions of lab users, within the portal's permissions boundary."),
  AWS_ACCOUNT_POOL: text
    .regex(/^[0-9]{12}(,[0-9]{12})*$/, 'must be account numbers of 12 digits, separated by commas')
    .optional()
    .describe(
      "IDs of AWS accounts to lease, one per lab user, separated by commas. Default: all lab users share the portal's own account.",
    ),
  AWS_ACCOUNT_ROLE: text
    .default('OrganizationAccountAccessRole')
    .describe('Role that the portal assumes in each leased account.'),
  AWS_LAB_UNIT: text.optional().describe('Organizational unit of free and leased accounts. Required with a pool.'),
  AWS_CLEANUP_UNIT: text
    .optional()
    .describe('Organizational unit of accounts that must be cleaned. Required with a pool.'),
}
type Environment = z.output<z.ZodObject<typeof variables>>

export interface AwsSettings {
  readonly emulated: boolean
  readonly region: string
  readonly consoleUrl: string
  /** Suffix of the names with which lab users sign in to the portal; null: there are no AWS lab users. */
  readonly labDomain: string | null
  readonly labPolicy: string
  /** IDs of AWS accounts, each leased to one user at a time; empty: all users share the portal's own account. */
  readonly pool: readonly string[]
  readonly role: string
  /** Organizational units for leased and for returned accounts; null: no accounts are leased. */
  readonly units: { readonly lab: string; readonly cleanup: string } | null
}

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

// The names differ from the names that AWS's own tools read, because credentials for another purpose must not be used
// for lab users.
const NAMES = ['AWS_LAB_ACCESS_KEY_ID', 'AWS_LAB_SECRET_ACCESS_KEY'] as const

const EMULATED = {
  credentials: { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'emulated' },
  labDomain: 'aws.labs.test',
  labUnit: 'ou-emul-labs0001',
  cleanupUnit: 'ou-emul-cleanup1',
}

export const aws = settings({
  variables,
  read(env, { emulatorUrl, emulated }) {
    const settings = awsSettings(env, { emulatorUrl, azureEmulated: emulated })
    return {
      config: { aws: settings },
      secrets: { awsCredentials: awsCredentials(env, settings) },
      emulated: settings.emulated,
    }
  },
})

/** Returns the emulator's settings if neither AWS nor Azure is configured; null without a key. */
function awsSettings(
  env: Environment,
  { emulatorUrl, azureEmulated }: { readonly emulatorUrl: string; readonly azureEmulated: boolean },
): AwsSettings {
  const provided = allOrNone(env, 'AWS', NAMES)
  const emulated = !provided && azureEmulated
  const pool = env.AWS_ACCOUNT_POOL?.split(',') ?? []
  const lab = env.AWS_LAB_UNIT ?? (emulated ? EMULATED.labUnit : undefined)
  const cleanup = env.AWS_CLEANUP_UNIT ?? (emulated ? EMULATED.cleanupUnit : undefined)
  if (pool.length > 0 && (lab === undefined || cleanup === undefined)) {
    throw new ConfigError(
      'AWS_LAB_UNIT and AWS_CLEANUP_UNIT must be set with AWS_ACCOUNT_POOL: leased accounts are moved between these organizational units.',
    )
  }
  return {
    emulated,
    region: env.AWS_LAB_REGION,
    consoleUrl: emulated
      ? `${emulatorUrl}/aws/signin?account={account}`
      : 'https://{account}.signin.aws.amazon.com/console',
    labDomain: provided ? (env.AWS_LAB_DOMAIN ?? null) : emulated ? (env.AWS_LAB_DOMAIN ?? EMULATED.labDomain) : null,
    labPolicy: env.AWS_LAB_POLICY,
    pool,
    role: env.AWS_ACCOUNT_ROLE,
    units: lab === undefined || cleanup === undefined ? null : { lab, cleanup },
  }
}

function awsCredentials(env: Environment, { emulated }: AwsSettings): AwsCredentials | null {
  if (emulated) return EMULATED.credentials
  const { AWS_LAB_ACCESS_KEY_ID: accessKeyId, AWS_LAB_SECRET_ACCESS_KEY: secretAccessKey } = env
  return accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey }
}
