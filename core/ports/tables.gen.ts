import type { TrainingId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways } from 'kysely'
import type { Place } from '@trainyard/templates/contract/provider.ts'

export interface PortTable {
  training_id: TrainingId
  port: number
  organisation_id: OrganisationId
  priority: number
  opened_at: Generated<Date>
  protocol: Generated<'TCP' | 'UDP' | 'TCP and UDP'>
  source: string | null
}

export type PortRow = Selectable<PortTable>

export interface SecurityGroupTable {
  training_id: TrainingId
  provider: string
  place_group: GeneratedAlways<string>
  organisation_id: OrganisationId
  place: Place
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  settled_generation: number | null
  id: Generated<string>
}

export type SecurityGroupRow = Selectable<SecurityGroupTable>

export interface PortsTables {
  port: PortTable
  security_group: SecurityGroupTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends PortsTables {}
}
