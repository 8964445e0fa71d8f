import type { TrainingId, OrganisationId, TemplateId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Selectable } from 'kysely'

export interface ReadyPoolTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  template_id: TemplateId | null
  machine_count: number
  power: 'running' | 'stopped'
  guacamole: boolean
  set_by: string
  paused: string | null
}

export type ReadyPoolRow = Selectable<ReadyPoolTable>

export interface PoolMachineTable {
  machine_id: MachineId
  organisation_id: OrganisationId
  training_id: TrainingId
  template_id: string
  revision: number
}

export type PoolMachineRow = Selectable<PoolMachineTable>

export interface ReadyPoolTables {
  ready_pool: ReadyPoolTable
  pool_machine: PoolMachineTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ReadyPoolTables {}
}
