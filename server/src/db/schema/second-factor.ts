import type { Generated } from 'kysely'
import type { PasskeyId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface AuthenticatorAppTable {
  user_id: Immutable<UserId>
  secret: Immutable<Buffer>
  /** The 30 s step of the last accepted code. */
  last_step: number
  tried: Generated<number>
  tried_since: Generated<Date>
  created_at: Generated<Date>
}

export interface RecoveryCodeTable {
  user_id: Immutable<UserId>
  code_hash: Immutable<Buffer>
  used_at: Date | null
}

export interface PasskeyTable {
  id: DefaultId<PasskeyId>
  user_id: Immutable<UserId>
  credential_id: Immutable<string>
  name: string
  public_key: Immutable<Buffer>
  uses: number
  transports: string[]
  created_at: Generated<Date>
  last_used_at: Date | null
}

export type ChallengePurpose = 'second step' | 'passkey login' | 'new passkey' | 'proof'

export interface ChallengeTable {
  token_hash: Buffer
  purpose: Immutable<ChallengePurpose>
  user_id: Immutable<UserId | null>
  password_digest: Immutable<Buffer | null>
  bound_to: Immutable<Buffer>
  tried: Generated<number>
  expires_at: Date
}

export interface SecondFactorResetTable {
  user_id: Immutable<UserId>
  /** Superadmin who requested the reset. */
  asked_by: UserId
  asked_at: Generated<Date>
  expires_at: Date
}
