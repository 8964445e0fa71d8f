import type { Generated } from 'kysely'
import type {
  LmsCourseId,
  LmsLinkId,
  LmsPlatformId,
  OrganisationId,
  TrainingId,
  UserId,
} from '@trainyard/contract/words/ids.ts'
import type { LmsView } from '@trainyard/contract/words/lms.ts'
import type { DefaultId } from './columns.ts'

export interface LmsPlatformTable {
  id: DefaultId<LmsPlatformId>
  organisation_id: OrganisationId
  name: string
  created_at: Generated<Date>
  issuer: string | null
  client_id: string | null
  authorization_url: string | null
  token_url: string | null
  token_audience: string | null
  key_set_url: string | null
  frame_origin: string | null
  registration_hash: Buffer | null
  registration_expires_at: Date | null
  suspended_at: Date | null
  worked_at: Date | null
}

export interface LmsKeyTable {
  id: DefaultId<string>
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  private_key: Buffer
  modulus: string
  exponent: string
  created_at: Generated<Date>
}

export interface LmsDeploymentTable {
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  deployment_id: string
  accepted_at: Date | null
  seen_at: Date | null
}

export interface LmsCourseTable {
  id: DefaultId<LmsCourseId>
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

export interface LmsIdentityTable {
  organisation_id: OrganisationId
  issuer: string
  subject: string
  user_id: UserId
  bound_at: Generated<Date>
}

export interface LmsLaunchTable {
  state_hash: Buffer
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  proof_hash: Buffer
  expires_at: Date
}

export interface LmsTicketTable {
  token_hash: Buffer
  platform_id: LmsPlatformId
  organisation_id: OrganisationId
  issuer: string
  subject: string
  name: string | null
  email: string | null
  is_instructor: boolean
  takes_seat: Generated<boolean>
  course_id: LmsCourseId
  view: LmsView
  return_url: string | null
  return_data: string | null
  /** Hash of a cookie of the browser that completed the launch; null: the browser blocks cookies in frames. */
  proof_hash: Buffer | null
  issued_at: Generated<Date>
  expires_at: Date
}

export interface LmsMemberTable {
  course_id: LmsCourseId
  organisation_id: OrganisationId
  subject: string
  name: string | null
  role: 'learner' | 'instructor'
}

export interface LmsLinkTable {
  id: DefaultId<LmsLinkId>
  course_id: LmsCourseId
  organisation_id: OrganisationId
  resource_link_id: string
  title: string
  line_item_url: string | null
  score_minutes: number | null
  score_due_at: Date | null
  score_attempts: Generated<number>
  score_problem: string | null
  score_sent_at: Date | null
}

export interface LmsScoreTable {
  link_id: LmsLinkId
  organisation_id: OrganisationId
  subject: string
  sent_minutes: number | null
  sent_of: number | null
  attempts: Generated<number>
  retry_at: Date | null
  problem: string | null
}
