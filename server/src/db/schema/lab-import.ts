import type { ColumnType, Generated, Selectable } from 'kysely'
import type {
  ImportedLabId,
  LabImportId,
  OrderId,
  OrganisationId,
  RegistrationLinkId,
  TemplateId,
  TrainingId,
} from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface LabImportTable extends LeasedColumns {
  id: DefaultId<LabImportId>
  organisation_id: Immutable<OrganisationId>
  kind: Immutable<'azure' | 'files'>
  /** Subscription ID or file names. */
  name: string
  tenant_id: string | null
  client_id: string | null
  client_secret: Buffer | null
  made_by: string
  made_at: Generated<Date>
  /** Number of the reading. */
  reading: Generated<number>
  /** True once the labs of this reading are listed. */
  listed: Generated<boolean>
  labs_found: Generated<number>
  accounts_found: Generated<number>
  read_at: Date | null
  removed_at: Date | null
}
export type LabImportRow = Selectable<LabImportTable>

export interface ImportedLabTable {
  id: DefaultId<ImportedLabId>
  import_id: LabImportId
  organisation_id: Immutable<OrganisationId>
  resource_key: Immutable<string>
  source: ColumnType<unknown, string, string>
  listed_in: number
  read_in: number | null
  training_name: string | null
  template_id: TemplateId | null
  usage_comes_along: Generated<boolean>
  training_id: TrainingId | null
  applied: ColumnType<unknown, string | null, string | null>
  applied_at: Date | null
  order_id: OrderId | null
  class_at: Date | null
  moved_at: Date | null
  moved_by: string | null
  link_id: RegistrationLinkId | null
}
export type ImportedLabRow = Selectable<ImportedLabTable>
