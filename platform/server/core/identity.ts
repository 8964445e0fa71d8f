import type { SecondFactorRule } from '../../contract/words/sign-in.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'
import { hook } from './events.ts'
import type { ApiKey, SessionUser } from './handler.ts'
import type { SecondFactorDuty } from './second-factor-duty.ts'

interface Found {
  readonly actor: Actor
  readonly mustChangePassword: boolean
  readonly duty: SecondFactorDuty | null
}

export interface FoundSession extends Found {
  /** True if the last use was recorded a while ago. */
  readonly unseen: boolean
  readonly user: SessionUser
  readonly isConfirmed: boolean
  recordUse(db: Db, address: string): Promise<void>
}

export interface FoundKey extends Found {
  readonly key: ApiKey
}

/** The valid session with the hash of a token. */
export const sessionOf = hook<{ readonly hash: Buffer; readonly rule: SecondFactorRule }, FoundSession | null>(
  'http.session',
  null,
  (first, second) => first ?? second,
)

/**
 * The valid API key that a token is.
 * @property address IP address of the client
 */
export const keyOf = hook<
  { readonly token: string; readonly address: string; readonly rule: SecondFactorRule },
  FoundKey | null
>('http.key', null, (first, second) => first ?? second)
