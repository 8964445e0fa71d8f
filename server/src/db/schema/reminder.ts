import type { Generated } from 'kysely'
import type { OrganisationId, ReminderId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once, ReadOnly } from './columns.ts'

export interface InvoiceReminderTable {
  id: DefaultId<ReminderId>
  organisation_id: Once<OrganisationId>
  entry_kind: ReadOnly<'invoice'>
  /** Number of the invoice in the ledger. */
  invoice: Once<string>
  after_days: Once<number>
  /** YYYY-MM-DD. */
  due_on: Once<string>
  open_paise: Once<Paise>
  created_at: Generated<Date>
  /** When it was mailed, or skipped because the invoice was paid. */
  ended_at: Date | null
  /** Recipients; empty if it was skipped or had none. */
  sent_to: Generated<string[]>
}
