import type { Generated, Selectable } from 'kysely'
import type { LmsPlatformId, OrganisationId, SessionId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { DefaultId, Immutable } from './columns.ts'

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
  /** First sign-in; null: the user has never signed in. */
  signed_in_at: Date | null
  /** Time zone of the browser that opened the user's link; null: unknown. */
  time_zone: string | null
  deactivated_at: Date | null
}

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
  /** Idle limit of the installation when the session was opened. */
  idle_minutes: number | null
  /**
   * Time at which the user last entered a password, a code or a passkey. Null if the user signed in with a single
   * factor at the organisation's identity provider and has not confirmed their identity since.
   */
  confirmed_at: Generated<Date | null>
  /** LMS that opened the session; null for every other sign-in. */
  lms_platform_id: LmsPlatformId | null
}

/** Superadmin who created or promoted an account or reset its second factors. Either account may have been deleted. */
export interface AccountControlTable {
  user_id: Immutable<UserId>
  controlled_by: Immutable<UserId>
  reason: Immutable<'created' | 'promoted' | 'reset'>
  since: Generated<Date>
}

/** Purpose of a mailed link. `address` and `provider` confirm a change that the organisation requested. */
export type InvitationPurpose = 'invitation' | 'password' | 'address' | 'provider'

export interface InvitationTable {
  id: DefaultId<string>
  user_id: UserId
  purpose: Generated<InvitationPurpose>
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  revoked_at: Date | null
  bounced_at: Date | null
  /** Reply of the mail server that rejected the e-mail, without links. */
  bounce: string | null
  /** When the mail server accepted the e-mail. */
  delivered_at: Date | null
  /** When the page of the link was first opened. */
  opened_at: Date | null
  /** Requested address; null unless the link confirms it. */
  new_email: string | null
  /** Identity at the organisation's provider; null unless the link confirms it. */
  issuer: string | null
  subject: string | null
}

export type UserRow = Selectable<UserTable>
