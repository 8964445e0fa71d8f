import type { Generated } from 'kysely'
import type { OrganisationId, ReminderId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once, ReadOnly } from './columns.ts'

export interface InvoiceReminderTable {
  id: DefaultId<ReminderId>
  organisation_id: Once<OrganisationId>
  entry_kind: ReadOnly<'invoice'>
  /** The invoice's number in the ledger. */
  invoice: Once<string>
  after_days: Once<number>
  /** YYYY-MM-DD. */
  due_on: Once<string>
  open_paise: Once<Paise>
  created_at: Generated<Date>
  /** Mailed, or found to be paid before it was. */
  ended_at: Date | null
  /** Empty: it was paid before, or nobody is to be mailed. */
  sent_to: Generated<string[]>
}
