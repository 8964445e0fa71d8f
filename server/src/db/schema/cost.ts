import type { ColumnType, Generated, Selectable } from 'kysely'
import type { CostKind, CostProvider, ImportState } from '@trainyard/contract/words/cost.ts'
import type { CostImportId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, ReadOnly } from './columns.ts'

export interface CostImportTable {
  id: DefaultId<CostImportId>
  file_names: string[]
  file_parts: number[]
  leave_out_bad: boolean
  made_by: string
  made_at: Generated<Date>
  state: Generated<ImportState>
  lines_read: Generated<number>
  line_count: Generated<number>
  bad_count: Generated<number>
  bad_lines: ColumnType<unknown, string | undefined, string>
  digest: string | null
  format: string | null
  summary: ColumnType<unknown, string | null, string>
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

export interface CostResourceTable {
  id: ReadOnly<number>
  provider: CostProvider
  key: string
  name: string
  kind: string
  resource_group: string | null
  tag: 'machine' | 'sandbox' | 'image' | 'shared' | null
  tag_value: string | null
}

export interface CostLineTable {
  import_id: CostImportId
  file: number
  line: number
  identity: string | null
  provider: CostProvider
  account: string
  /** YYYY-MM-DD. */
  period: string
  day: string
  kind: CostKind
  resource_id: number | null
  service: string
  cost: string
  currency: string
}

export interface CostAdoptionTable {
  provider: CostProvider
  of: 'tag' | 'resource'
  value: string
  organisation_id: OrganisationId
  training_id: TrainingId | null
  adopted_by: string
  adopted_at: Generated<Date>
}
