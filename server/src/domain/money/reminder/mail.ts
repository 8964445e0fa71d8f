import { sql } from 'kysely'
import { formatRupees, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { JobHandlers } from '../../../jobs/jobs.ts'
import { supplierToday } from '../invoice/draft.ts'
import { addresseesOf, type MailDocumentParts, plainEmail } from '../invoice/mail.ts'
import { dayWords } from '../invoice/pdf/paper.ts'
import { supplierSettings } from '../supplier/settings.ts'
import { openInvoices } from './open.ts'

/** Mails a reminder to an organisation's billing addresses; nothing where the invoice was settled meanwhile. */
export function mailReminder({ db, mail, publicUrl }: MailDocumentParts): JobHandlers['reminder.mail'] {
  return async ({ reminder: id }, signal) => {
    const today = await supplierToday(db)
    const row = await db
      .selectFrom('invoice_reminder')
      .innerJoin('organisation', 'organisation.id', 'invoice_reminder.organisation_id')
      .select(['organisation_id', 'organisation.name', 'invoice', 'due_on'])
      // More than its step's where reminders came to be on later.
      .select(sql<number>`${today}::date - due_on`.as('daysAgo'))
      .where('invoice_reminder.id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return
    const { organisation_id: organisation, name, invoice, due_on, daysAgo } = row
    const [still] = await openInvoices(db, today, { organisation, invoice })
    const { reminders, legalName } = await supplierSettings(db)
    const to = still === undefined || reminders === 'off' ? [] : await addresseesOf(db, organisation)
    for (const address of to) {
      if (signal.aborted) throw signal.reason
      await mail.send({
        key: `reminder-${id}-${address}`,
        to: address,
        subject: `Reminder: invoice ${invoice} was due on ${dayWords(due_on)}`,
        ...plainEmail([
          'Hello,',
          `${formatRupees(rupeesOfPaise(still!.open))} of the invoice ${invoice} of ${name} were due on ${dayWords(due_on)}, ${daysAgo} ${daysAgo === 1 ? 'day' : 'days'} ago, and have not arrived${legalName === null ? '' : ` at ${legalName}`}.`,
          `It can be paid in the portal: ${publicUrl}/ledger/account`,
          'If you have paid it meanwhile, or deducted tax that a certificate is on its way for, nothing is left to do.',
          'Trainyard',
        ]),
      })
    }
    await db
      .updateTable('invoice_reminder')
      .set({ ended_at: sql<Date>`portal_now()`, sent_to: to })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  }
}
