import type {
  RegistrationLinkId,
  OrganisationId,
  TrainingId,
  TemplateId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface RegistrationLinkTable {
  id: Generated<RegistrationLinkId>
  organisation_id: OrganisationId
  training_id: TrainingId
  name: string
  code_hash: Buffer
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
  link_id: RegistrationLinkId
  user_id: UserId
  organisation_id: OrganisationId
  state: 'seated' | 'pending' | 'waiting' | 'declined'
  seat: number | null
  link_seats: number
  is_pseudonym: boolean
  registered_at: Generated<Date>
  decided_at: Date | null
  decided_by: string | null
}

export type RegistrationRow = Selectable<RegistrationTable>

export interface RegistrationEmailTable {
  id: string
  link_id: RegistrationLinkId
  organisation_id: OrganisationId
  email: string
  sent_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
}

export type RegistrationEmailRow = Selectable<RegistrationEmailTable>

export interface RegistrationTables {
  registration_link: RegistrationLinkTable
  registration: RegistrationTable
  registration_email: RegistrationEmailTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends RegistrationTables {}
}
