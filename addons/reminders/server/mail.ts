import type { ReminderId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { sql } from 'kysely'
import { formatRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { billingEmailsOf, type MailDocumentDependencies, plainEmail } from '@trainyard/invoices/server/mail.ts'
import { mailEach } from '@trainyard/platform/server/mail/mail-each.ts'
import { formatDay } from '@trainyard/platform/server/pdf/paper.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'

export const reminderMail = job<{ readonly reminder: ReminderId }>('reminder.mail', EMAILS)

export function mailReminder({ db, mail, publicUrl }: MailDocumentDependencies): Run<typeof reminderMail> {
  return async ({ reminder: id }, signal) => {
    const today = await supplierToday(db)
    const row = await db
      .selectFrom('invoice_reminder')
      .innerJoin('organisation', 'organisation.id', 'invoice_reminder.organisation_id')
      .select(['organisation_id', 'organisation.name', 'invoice', 'due_on'])
      // Number of days overdue. It can exceed the days of the reminder's step if reminders were switched on later.
      .select(sql<number>`${today}::date - due_on`.as('daysAgo'))
      .where('invoice_reminder.id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return
    const { organisation_id: organisation, name, invoice, due_on, daysAgo } = row
    const [current] = await openInvoices(db, today, { organisation, invoice })
    const { reminders, legalName } = await supplierSettings(db)
    const to = current === undefined || reminders === 'off' ? [] : await billingEmailsOf(db, organisation)
    const mailed = await mailEach(to, signal, async (address) => {
      await mail.send({
        key: `reminder-${id}-${address}`,
        to: address,
        subject: `Reminder: invoice ${invoice} was due on ${formatDay(due_on)}`,
        ...plainEmail([
          'Hello,',
          `${formatRupees(rupeesOfPaise(current!.open))} of invoice ${invoice} for ${name} was due on ${formatDay(due_on)}, ${daysAgo} ${daysAgo === 1 ? 'day' : 'days'} ago. ${legalName ?? 'The supplier'} has not received this amount yet.`,
          `Pay it in the portal: ${publicUrl}/ledger/account`,
          'If you have already paid it, or have deducted tax and are about to send the certificate, you can ignore this mail.',
          'Trainyard',
        ]),
      })
    })
    await db
      .updateTable('invoice_reminder')
      .set({ ended_at: sql<Date>`portal_now()`, sent_to: [...mailed.delivered] })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
    mailed.reportRejection()
  }
}
