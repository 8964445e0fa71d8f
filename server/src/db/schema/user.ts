import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, SessionId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { DefaultId } from './columns.ts'

export interface UserTable {
  id: DefaultId<UserId>
  email: string
  name: string | null
  password_hash: string | null
  password_given: Generated<boolean>
  role: Role
  organisation_id: OrganisationId | null
  role_since: Generated<Date>
  created_at: Generated<Date>
}

/** Sign-in attempts of one lane within the current minute. */
export interface LoginLaneTable {
  lane: Buffer
  began_at: Date
  taken: number
}

export interface SessionTable {
  id: DefaultId<SessionId>
  token_hash: Buffer
  user_id: UserId
  created_at: Generated<Date>
  expires_at: Date
  seen_at: Generated<Date>
  address: string | null
  user_agent: string | null
  /** Idle limit of the installation when the session was opened; null if there was none. */
  idle_minutes: number | null
  /** When the user last entered a password, a code or a passkey. */
  confirmed_at: Generated<Date>
}

/** Sets the first password, or replaces a forgotten one. */
export type InvitationPurpose = 'invitation' | 'password'

export interface InvitationTable {
  id: DefaultId<string>
  user_id: UserId
  purpose: Generated<InvitationPurpose>
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  revoked_at: Date | null
}

export type UserRow = Selectable<UserTable>
