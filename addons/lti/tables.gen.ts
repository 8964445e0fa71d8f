import type {
  LmsPlatformId,
  OrganisationId,
  LmsCourseId,
  TrainingId,
  UserId,
  LmsLinkId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface LmsPlatformTable {
  id: Generated<LmsPlatformId>
  organisation_id: OrganisationId
  name: string
  created_at: Generated<Date>
  issuer: string | null
  client_id: string | null
  authorization_url: string | null
  token_url: string | null
  token_audience: string | null
  key_set_url: string | null
  registration_hash: Buffer | null
  registration_expires_at: Date | null
  suspended_at: Date | null
  worked_at: Date | null
  frame_origin: string | null
}

export type LmsPlatformRow = Selectable<LmsPlatformTable>

export interface LmsKeyTable {
  id: Generated<string>
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  private_key: Buffer
  modulus: string
  exponent: string
  created_at: Generated<Date>
}

export type LmsKeyRow = Selectable<LmsKeyTable>

export interface LmsDeploymentTable {
  platform_id: LmsPlatformId
  deployment_id: string
  organisation_id: OrganisationId
  accepted_at: Date | null
  seen_at: Date | null
}

export type LmsDeploymentRow = Selectable<LmsDeploymentTable>

export interface LmsCourseTable {
  id: Generated<LmsCourseId>
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  deployment_id: string
  context_id: string
  title: string
  training_id: TrainingId | null
  memberships_url: string | null
  seen_at: Generated<Date>
  roster_due_at: Date | null
  roster_read_at: Date | null
  roster_attempts: Generated<number>
  roster_problem: string | null
}

export type LmsCourseRow = Selectable<LmsCourseTable>

export interface LmsIdentityTable {
  organisation_id: OrganisationId
  issuer: string
  subject: string
  user_id: UserId
  bound_at: Generated<Date>
  needs_login: Generated<boolean>
}

export type LmsIdentityRow = Selectable<LmsIdentityTable>

export interface LmsLaunchTable {
  state_hash: Buffer
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  proof_hash: Buffer
  expires_at: Date
}

export type LmsLaunchRow = Selectable<LmsLaunchTable>

export interface LmsLinkTable {
  id: Generated<LmsLinkId>
  course_id: LmsCourseId
  organisation_id: OrganisationId
  resource_link_id: string
  title: string
  line_item_url: string | null
  score_by: 'minutes' | 'points' | null
  score_minutes: number | null
  score_due_at: Date | null
  score_attempts: Generated<number>
  score_problem: string | null
  score_sent_at: Date | null
}

export type LmsLinkRow = Selectable<LmsLinkTable>

export interface LmsMemberTable {
  course_id: LmsCourseId
  subject: string
  organisation_id: OrganisationId
  name: string | null
  role: 'learner' | 'instructor'
}

export type LmsMemberRow = Selectable<LmsMemberTable>

export interface LmsScoreTable {
  link_id: LmsLinkId
  subject: string
  organisation_id: OrganisationId
  sent: number | null
  sent_of: number | null
  attempts: Generated<number>
  retry_at: Date | null
  problem: string | null
}

export type LmsScoreRow = Selectable<LmsScoreTable>

export interface LmsTicketTable {
  token_hash: Buffer
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  issuer: string
  subject: string
  name: string | null
  email: string | null
  is_instructor: boolean
  course_id: LmsCourseId
  view: 'training' | 'machine' | 'class'
  expires_at: Date
  return_url: string | null
  return_data: string | null
  proof_hash: Buffer | null
  issued_at: Generated<Date>
  takes_seat: Generated<boolean>
}

export type LmsTicketRow = Selectable<LmsTicketTable>

export interface LtiTables {
  lms_platform: LmsPlatformTable
  lms_key: LmsKeyTable
  lms_deployment: LmsDeploymentTable
  lms_course: LmsCourseTable
  lms_identity: LmsIdentityTable
  lms_launch: LmsLaunchTable
  lms_link: LmsLinkTable
  lms_member: LmsMemberTable
  lms_score: LmsScoreTable
  lms_ticket: LmsTicketTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends LtiTables {}
}
