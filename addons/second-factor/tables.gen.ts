import type { UserId, PasskeyId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface AuthenticatorAppTable {
  user_id: UserId
  secret: Buffer
  last_step: number
  tried: Generated<number>
  tried_since: Generated<Date>
  created_at: Generated<Date>
}

export type AuthenticatorAppRow = Selectable<AuthenticatorAppTable>

export interface RecoveryCodeTable {
  user_id: UserId
  code_hash: Buffer
  used_at: Date | null
}

export type RecoveryCodeRow = Selectable<RecoveryCodeTable>

export interface PasskeyTable {
  id: Generated<PasskeyId>
  user_id: UserId
  credential_id: string
  name: string
  public_key: Buffer
  uses: number
  transports: string[]
  created_at: Generated<Date>
  last_used_at: Date | null
}

export type PasskeyRow = Selectable<PasskeyTable>

export interface SecondFactorResetTable {
  user_id: UserId
  asked_by: UserId
  asked_at: Generated<Date>
  expires_at: Date
}

export type SecondFactorResetRow = Selectable<SecondFactorResetTable>

export interface ChallengeTable {
  token_hash: Buffer
  purpose: 'second step' | 'passkey login' | 'new passkey' | 'proof'
  user_id: UserId | null
  password_digest: Buffer | null
  bound_to: Buffer
  tried: Generated<number>
  expires_at: Date
}

export type ChallengeRow = Selectable<ChallengeTable>

export interface SecondFactorTables {
  authenticator_app: AuthenticatorAppTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  second_factor_reset: SecondFactorResetTable
  challenge: ChallengeTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends SecondFactorTables {}
}
