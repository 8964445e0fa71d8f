import type { UserId, OrganisationId, SessionId, LmsPlatformId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface PortalUserTable {
  id: Generated<UserId>
  email: string
  password_hash: string | null
  role: 'user' | 'admin' | 'superadmin' | 'sandboxuser' | 'awssandboxuser'
  organisation_id: OrganisationId | null
  created_at: Generated<Date>
  password_given: Generated<boolean>
  role_since: Generated<Date>
  name: string | null
  signed_in_at: Date | null
  deactivated_at: Date | null
  time_zone: string | null
}

export type PortalUserRow = Selectable<PortalUserTable>

export interface SessionTable {
  token_hash: Buffer
  user_id: UserId
  created_at: Generated<Date>
  expires_at: Date
  id: Generated<SessionId>
  seen_at: Generated<Date>
  address: string | null
  user_agent: string | null
  confirmed_at: Generated<Date | null>
  idle_minutes: number | null
  opened_by: Generated<'portal' | 'provider' | 'system'>
  lms_platform_id: LmsPlatformId | null
}

export type SessionRow = Selectable<SessionTable>

export interface InvitationTable {
  id: Generated<string>
  user_id: UserId
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  purpose: Generated<'invitation' | 'password' | 'address' | 'provider'>
  revoked_at: Date | null
  bounced_at: Date | null
  bounce: string | null
  delivered_at: Date | null
  opened_at: Date | null
  mailed_at: Generated<Date>
  new_email: string | null
  issuer: string | null
  subject: string | null
}

export type InvitationRow = Selectable<InvitationTable>

export interface LoginLaneTable {
  lane: Buffer
  began_at: Date
  taken: number
}

export type LoginLaneRow = Selectable<LoginLaneTable>

export interface AccountControlTable {
  user_id: UserId
  controlled_by: UserId
  reason: 'created' | 'promoted' | 'reset'
  since: Generated<Date>
}

export type AccountControlRow = Selectable<AccountControlTable>

export interface UsersTables {
  portal_user: PortalUserTable
  session: SessionTable
  invitation: InvitationTable
  login_lane: LoginLaneTable
  account_control: AccountControlTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends UsersTables {}
}
