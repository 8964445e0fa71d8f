import type { Generated, Selectable } from 'kysely'
import type {
  OrganisationId,
  RegistrationLinkId,
  TemplateId,
  TrainingId,
  UserId,
} from '@trainyard/contract/words/ids.ts'
import type { RegistrationState } from '@trainyard/contract/words/registration.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface RegistrationLinkTable {
  id: DefaultId<RegistrationLinkId>
  organisation_id: Immutable<OrganisationId>
  training_id: Immutable<TrainingId>
  name: string
  code_hash: Buffer
  /** Encrypted code of the link. */
  code: Buffer
  seats: number
  opens_at: Date | null
  closes_at: Date | null
  domains: string[]
  needs_approval: boolean
  with_machine: boolean
  template_id: TemplateId | null
  allotted_minutes: number | null
  guacamole: boolean
  problem: string | null
  made_by: string
  made_at: Generated<Date>
  revoked_at: Date | null
  revoked_by: string | null
}
export type RegistrationLinkRow = Selectable<RegistrationLinkTable>

export interface RegistrationTable {
  link_id: Immutable<RegistrationLinkId>
  organisation_id: Immutable<OrganisationId>
  user_id: Immutable<UserId>
  state: RegistrationState
  seat: number | null
  link_seats: number
  is_pseudonym: boolean
  registered_at: Generated<Date>
  decided_at: Date | null
  decided_by: string | null
}

export interface RegistrationEmailTable {
  id: string
  link_id: Immutable<RegistrationLinkId>
  organisation_id: Immutable<OrganisationId>
  email: Immutable<string>
  sent_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
}
