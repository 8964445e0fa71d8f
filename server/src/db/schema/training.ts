import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { PortProtocol } from '@trainyard/contract/words/network.ts'
import type { DefaultId } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface TrainingTable {
  id: DefaultId<TrainingId>
  organisation_id: OrganisationId
  name: string
  created_at: Generated<Date>
  access_start: string | null
  access_stop: string | null
  access_extended_until: Date | null
  idle_stop_minutes: number | null
  watched_without_asking: Generated<boolean>
  early_start: Generated<boolean>
  access_days: number[] | null
  ends_on: string | null
  removed_at: Date | null
  files_allowed: Generated<boolean>
}

export type TrainingRow = Selectable<TrainingTable>

export interface PortTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  port: number
  priority: number
  protocol: Generated<PortProtocol>
  source: string | null
  opened_at: Generated<Date>
}

export interface SecurityGroupTable extends LeasedColumns {
  id: DefaultId<string>
  training_id: TrainingId
  organisation_id: OrganisationId
  resource_group: string
  location: string
  settled_generation: number | null
}

export interface TrainingInstructorTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  user_id: UserId
  role: Generated<'user'>
  added_by: string
  added_at: Generated<Date>
}
