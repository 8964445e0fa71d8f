import { Users } from '#src/aws/iam/user-rows.ts'
import type { Book } from '#src/record/book.ts'

/** The account that the portal's own credentials belong to: its organization's first. */
export const portalAccount = '100000000001'
/** The user that the portal's key is of. */
export const portalArn = `arn:aws:iam::${portalAccount}:user/trainyard-portal`
/** The credentials that AWS would give an operator; nothing of them is worth stealing. */
export const portalKey = { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'emulated' } as const

export const organization = {
  id: 'o-emulated01',
  root: 'r-emul',
  /** Where accounts stand that labs may use, and where they go to be cleaned. */
  labs: 'ou-emul-labs0001',
  cleanup: 'ou-emul-cleanup1',
  /** The service control policy that denies everything; it stands on the clean-up unit. */
  denyAll: 'p-denyall1',
} as const

/** Accounts of the organization that may be leased. */
export const poolAccounts = Array.from({ length: 10 }, (_, n) => `2000000000${String(n + 1).padStart(2, '0')}`)

/** The state behind AWS's interface here. */
export interface AwsCloud {
  readonly book: Book
  readonly users: Users
  /** Milliseconds until a new access key is known everywhere, and until a new login profile may be changed. */
  readonly spreading: number
}
