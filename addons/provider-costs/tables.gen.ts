import type { CostImportId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, ColumnType, Selectable, GeneratedAlways } from 'kysely'

export interface CostImportTable {
  id: Generated<CostImportId>
  file_names: string[]
  file_parts: number[]
  leave_out_bad: boolean
  made_by: string
  made_at: Generated<Date>
  state: Generated<'receiving' | 'waiting' | 'done' | 'same' | 'refused'>
  lines_read: Generated<number>
  line_count: Generated<number>
  bad_count: Generated<number>
  bad_lines: ColumnType<unknown, string | undefined, string>
  digest: string | null
  format: string | null
  summary: ColumnType<unknown, string | null | undefined, string | null>
  refusal: string | null
  ended_at: Date | null
}

export type CostImportRow = Selectable<CostImportTable>

export interface CostImportPartTable {
  import_id: CostImportId
  file: number
  place: number
  bytes: Buffer
}

export type CostImportPartRow = Selectable<CostImportPartTable>

export interface CostResourceTable {
  id: GeneratedAlways<number>
  provider: 'azure' | 'aws'
  key: string
  name: string
  kind: string
  resource_group: string | null
  tag: 'machine' | 'sandbox' | 'image' | 'shared' | null
  tag_value: string | null
}

export type CostResourceRow = Selectable<CostResourceTable>

export interface CostLineTable {
  import_id: CostImportId
  file: number
  line: number
  identity: string | null
  provider: 'azure' | 'aws'
  account: string
  period: string
  day: string
  kind: 'usage' | 'purchase' | 'credit' | 'tax' | 'adjustment' | 'unused'
  resource_id: number | null
  service: string
  cost: string
  currency: string
}

export type CostLineRow = Selectable<CostLineTable>

export interface CostAdoptionTable {
  provider: 'azure' | 'aws'
  of: 'tag' | 'resource'
  value: string
  organisation_id: OrganisationId
  training_id: TrainingId | null
  adopted_by: string
  adopted_at: Generated<Date>
}

export type CostAdoptionRow = Selectable<CostAdoptionTable>

export interface ProviderCostsTables {
  cost_import: CostImportTable
  cost_import_part: CostImportPartTable
  cost_resource: CostResourceTable
  cost_line: CostLineTable
  cost_adoption: CostAdoptionTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ProviderCostsTables {}
}
