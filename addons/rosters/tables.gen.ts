import type {
  RosterId,
  OrganisationId,
  TrainingId,
  TemplateId,
  MachineId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface RosterTable {
  id: Generated<RosterId>
  organisation_id: OrganisationId
  training_id: TrainingId
  kind: 'scim_group' | 'lti_course'
  external_key: string
  name: string
  machine_rule: 'none' | 'on_joining' | 'on_first_launch'
  template_id: TemplateId | null
  allotted_minutes: number | null
  guacamole: boolean
  seats: number | null
  grace_days: number
  made_by: string
  made_at: Generated<Date>
  version: Generated<number>
  ran_at: Date | null
  joined: Generated<number>
  returned: Generated<number>
  departed: Generated<number>
  pending_since: Date | null
  approved_at: Date | null
}

export type RosterRow = Selectable<RosterTable>

export interface RosterMemberTable {
  roster_id: RosterId
  external_id: string
  organisation_id: OrganisationId
  email: string
  name: string | null
  role: 'learner' | 'instructor'
  listed: boolean
  joined_at: Generated<Date>
  left_at: Date | null
  by_hand: Generated<boolean>
  instructor_given: Generated<boolean>
  machine_id: MachineId | null
  machine_due_at: Date | null
  problem: string | null
  delete_at: Date | null
}

export type RosterMemberRow = Selectable<RosterMemberTable>

export interface RostersTables {
  roster: RosterTable
  roster_member: RosterMemberTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends RostersTables {}
}
