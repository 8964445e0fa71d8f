import { addDays } from '@trainyard/platform/contract/words/day.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'

const LIMIT = 100

export const reminderHandlers: HandlersOf<'reminder'> = {
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const { reminders, reminderDays } = await supplierSettings(db)
    const invoices = await openInvoices(db, await supplierToday(db), { organisation: id, most: LIMIT })
    const open = invoices.filter(({ isHeld }) => !isHeld)
    const sent = await db
      .selectFrom('invoice_reminder')
      .select(['invoice', 'after_days', 'open_paise', 'created_at', 'ended_at', 'sent_to'])
      .where('organisation_id', '=', id)
      .orderBy('created_at', 'desc')
      .orderBy('invoice')
      .limit(LIMIT)
      .execute()
    return {
      reminders,
      open: open.map(({ invoice, date, dueOn, open: openPaise, overdue }) => {
        const next = reminders === 'off' ? undefined : reminderDays.find((days) => days > overdue)
        return { invoice, date, dueOn, openPaise, nextOn: next === undefined ? null : addDays(dueOn, next) }
      }),
      sent: sent.map((row) => ({
        invoice: row.invoice,
        afterDays: row.after_days,
        openPaise: row.open_paise,
        at: (row.ended_at ?? row.created_at).toISOString(),
        to: row.ended_at === null ? null : row.sent_to,
      })),
    }
  },
}
