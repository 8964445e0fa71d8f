import type { Generated, Selectable } from 'kysely'
import type { MachineId, OrganisationId, RosterId, TemplateId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { MachineRule, RosterKind } from '@trainyard/contract/words/training-roster.ts'
import type { DefaultId } from './columns.ts'

export interface RosterTable {
  id: DefaultId<RosterId>
  organisation_id: OrganisationId
  training_id: TrainingId
  kind: RosterKind
  external_key: string
  name: string
  machine_rule: MachineRule
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

export interface RosterMemberTable {
  roster_id: RosterId
  organisation_id: OrganisationId
  external_id: string
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

export type RosterRow = Selectable<RosterTable>
