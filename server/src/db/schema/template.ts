import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, TemplateId, ImageId, MachineId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId } from './columns.ts'
import type { AzureOptionColumns, MachineConfigColumns } from './machine-config.ts'

export interface TemplateTable extends MachineConfigColumns, AzureOptionColumns {
  id: DefaultId<TemplateId>
  name: string
  rate_paise: Paise
  cpu: string
  memory: string
  storage: string
  disk: string
  created_at: Generated<Date>
  refusal: string | null
  revision: Generated<number>
}

export interface TemplateAssignmentTable {
  organisation_id: OrganisationId
  template_id: TemplateId
  created_at: Generated<Date>
}

export type TemplateRow = Selectable<TemplateTable>

export interface ImageTable {
  id: DefaultId<ImageId>
  organisation_id: OrganisationId
  machine_id: MachineId
  /** E-mail address of the user who captured the image. */
  asked_by: string
  created_at: Generated<Date>
  image_id: string | null
  ready_at: Date | null
  failed: string | null
  progress: Generated<number>
  last_error: string | null
}
