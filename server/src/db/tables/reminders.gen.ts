import type { ReminderId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Paise } from '@trainyard/contract/words/money.ts'

export interface InvoiceReminderTable {
  id: Generated<ReminderId>
  organisation_id: OrganisationId
  entry_kind: GeneratedAlways<string>
  invoice: string
  after_days: number
  due_on: string
  open_paise: Paise
  created_at: Generated<Date>
  ended_at: Date | null
  sent_to: Generated<string[]>
}

export type InvoiceReminderRow = Selectable<InvoiceReminderTable>

export interface RemindersTables {
  invoice_reminder: InvoiceReminderTable
}
declare module '../schema.ts' {
  interface Schema extends RemindersTables {}
}
