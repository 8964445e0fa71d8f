import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, TemplateId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId } from './columns.ts'
import type { MachineMakeColumns } from './machine-make.ts'

export interface TemplateTable extends MachineMakeColumns {
  id: DefaultId<TemplateId>
  name: string
  rate_paise: Paise
  cpu: string
  memory: string
  storage: string
  disk: string
  created_at: Generated<Date>
  /** Why no machine could be made of it when one was last ordered; null: one could, or none was. */
  refusal: string | null
  /** Counts its changes. */
  revision: Generated<number>
}

export interface TemplateAssignmentTable {
  organisation_id: OrganisationId
  template_id: TemplateId
  created_at: Generated<Date>
}

export type TemplateRow = Selectable<TemplateTable>
