import type { Generated } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface PortTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  port: number
  priority: number
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
