import type { Generated } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId } from './columns.ts'

export interface OrganisationTable {
  id: DefaultId<OrganisationId>
  name: string
  time_zone: Generated<string>
  logo: string | null
  gst: string | null
  credit_limit_paise: Generated<Paise>
  created_at: Generated<Date>
  removed_at: Date | null
}
