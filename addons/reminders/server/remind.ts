import { reminderMail } from './mail.ts'
import { randomUUID } from 'node:crypto'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'

/**
 * Sends each reminder step at most once per invoice. Steps missed while reminders were off or the portal was down are
 * not sent later.
 */
export async function sendDueReminders(db: Db, jobs: JobQueue): Promise<void> {
  const { reminders, reminderDays } = await supplierSettings(db)
  if (reminders === 'off') return
  const today = await supplierToday(db)
  await db.transaction().execute(async (tx) => {
    for (const { organisation, invoice, dueOn, open, overdue, isHeld } of await openInvoices(tx, today)) {
      if (isHeld) continue
      const step = reminderDays.findLast((days) => days <= overdue)
      if (step === undefined) continue
      const added = await tx
        .insertInto('invoice_reminder')
        .values({ organisation_id: organisation, invoice, after_days: step, due_on: dueOn, open_paise: open })
        .onConflict((on) => on.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added === undefined) continue
      await jobs.enqueue(tx, reminderMail, [{ reminder: added.id }])
      const request = { invoice, afterDays: step, openPaise: open }
      await writeAudit(tx, {
        call: 'reminder.send',
        requestId: randomUUID(),
        actor: null,
        request,
        organisation,
      })
    }
  })
}
