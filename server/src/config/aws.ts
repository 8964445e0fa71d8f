import { ConfigError } from '../core/errors.ts'
import { allOrNone, type Environment } from './environment.ts'

export interface AwsSettings {
  readonly emulated: boolean
  readonly region: string
  /** Where an account's people sign in; {account} stands for its number. */
  readonly consoleUrl: string
  /** The text after a lab user's name in the portal's sign-in name; null: there are no AWS lab users. */
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

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

// Not the names that AWS's own tools read: whoever has those set for something else must not meet lab users there.
const NAMES = ['AWS_LAB_ACCESS_KEY_ID', 'AWS_LAB_SECRET_ACCESS_KEY'] as const

/** The settings that the emulator accepts; nothing of them is worth stealing. */
const EMULATED = {
  credentials: { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'emulated' },
  labDomain: 'aws.labs.test',
  labUnit: 'ou-emul-labs0001',
  cleanupUnit: 'ou-emul-cleanup1',
}

/** AWS is the emulator's as long as nothing real is set; beside a real Azure it is used only where its key is given. */
export function awsSettings(
  e: Environment,
  { emulatorUrl, azureEmulated }: { readonly emulatorUrl: string; readonly azureEmulated: boolean },
): AwsSettings {
  const given = allOrNone(e, 'AWS', NAMES)
  const emulated = !given && azureEmulated
  const pool = e.AWS_ACCOUNT_POOL?.split(',') ?? []
  const lab = e.AWS_LAB_UNIT ?? (emulated ? EMULATED.labUnit : undefined)
  const cleanup = e.AWS_CLEANUP_UNIT ?? (emulated ? EMULATED.cleanupUnit : undefined)
  if (pool.length > 0 && (lab === undefined || cleanup === undefined)) {
    throw new ConfigError(
      'AWS_LAB_UNIT and AWS_CLEANUP_UNIT must be set with AWS_ACCOUNT_POOL: leased accounts go between them.',
    )
  }
  return {
    emulated,
    region: e.AWS_LAB_REGION,
    consoleUrl: emulated
      ? `${emulatorUrl}/aws/signin?account={account}`
      : 'https://{account}.signin.aws.amazon.com/console',
    labDomain: given ? (e.AWS_LAB_DOMAIN ?? null) : emulated ? (e.AWS_LAB_DOMAIN ?? EMULATED.labDomain) : null,
    labPolicy: e.AWS_LAB_POLICY,
    pool,
    role: e.AWS_ACCOUNT_ROLE,
    units: lab === undefined || cleanup === undefined ? null : { lab, cleanup },
  }
}

/** null: no AWS is used. */
export function awsCredentials(e: Environment, { emulated }: AwsSettings): AwsCredentials | null {
  if (emulated) return EMULATED.credentials
  const { AWS_LAB_ACCESS_KEY_ID: accessKeyId, AWS_LAB_SECRET_ACCESS_KEY: secretAccessKey } = e
  return accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey }
}
