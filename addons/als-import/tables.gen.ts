import type {
  LabImportId,
  OrganisationId,
  ImportedLabId,
  TemplateId,
  TrainingId,
  OrderId,
  RegistrationLinkId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, ColumnType } from 'kysely'

export interface LabImportTable {
  id: Generated<LabImportId>
  organisation_id: OrganisationId
  kind: 'azure' | 'files'
  name: string
  tenant_id: string | null
  client_id: string | null
  client_secret: Buffer | null
  made_by: string
  made_at: Generated<Date>
  reading: Generated<number>
  listed: Generated<boolean>
  labs_found: Generated<number>
  accounts_found: Generated<number>
  read_at: Date | null
  removed_at: Date | null
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}

export type LabImportRow = Selectable<LabImportTable>

export interface ImportedLabTable {
  id: Generated<ImportedLabId>
  import_id: LabImportId
  organisation_id: OrganisationId
  resource_key: string
  source: ColumnType<unknown, string, string>
  listed_in: number
  read_in: number | null
  training_name: string | null
  template_id: TemplateId | null
  usage_comes_along: Generated<boolean>
  training_id: TrainingId | null
  applied: ColumnType<unknown, string | null | undefined, string | null>
  applied_at: Date | null
  order_id: OrderId | null
  class_at: Date | null
  moved_at: Date | null
  moved_by: string | null
  link_id: RegistrationLinkId | null
}

export type ImportedLabRow = Selectable<ImportedLabTable>

export interface AlsImportTables {
  lab_import: LabImportTable
  imported_lab: ImportedLabTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends AlsImportTables {}
}
