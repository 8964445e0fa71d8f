import { Users } from './iam/user-rows.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

/** Account of the portal's own credentials, the management account of its organization. */
export const portalAccount = '100000000001'
export const portalArn = `arn:aws:iam::${portalAccount}:user/trainyard-portal`
/** Access key of the portal. Not a real secret. */
export const portalKey = { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'emulated' } as const

export const organization = {
  id: 'o-emulated01',
  root: 'r-emul',
  labs: 'ou-emul-labs0001',
  cleanup: 'ou-emul-cleanup1',
  /** Service control policy that denies everything. Attached to the clean-up unit. */
  denyAll: 'p-denyall1',
} as const

export const poolAccounts = Array.from({ length: 10 }, (_, n) => `2000000000${String(n + 1).padStart(2, '0')}`)

export interface AwsCloud {
  readonly database: Database
  readonly users: Users
  /** Milliseconds until a new access key works, and until a new login profile can be changed. */
  readonly propagationMs: number
}
