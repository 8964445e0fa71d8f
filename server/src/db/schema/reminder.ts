import type { Generated } from 'kysely'
import type { OrganisationId, ReminderId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'

export interface InvoiceReminderTable {
  id: DefaultId<ReminderId>
  organisation_id: Immutable<OrganisationId>
  entry_kind: ReadOnly<'invoice'>
  /** Number of the invoice in the ledger. */
  invoice: Immutable<string>
  after_days: Immutable<number>
  /** YYYY-MM-DD. */
  due_on: Immutable<string>
  open_paise: Immutable<Paise>
  created_at: Generated<Date>
  /** When it was mailed, or skipped because the invoice was paid. */
  ended_at: Date | null
  /** Recipients; empty if it was skipped or had none. */
  sent_to: Generated<string[]>
}
