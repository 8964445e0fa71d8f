import { creditOverdue } from './overdue.ts'
import { creditAlert } from './evaluate.ts'
import type { Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import type { OverdueStage } from '../contract/credit-words.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { billingEmailsOf, type MailDocumentDependencies, plainEmail } from '@trainyard/invoices/server/mail.ts'
import { mailEach } from '@trainyard/platform/server/mail/mail-each.ts'
import { formatDay } from '@trainyard/platform/server/pdf/paper.ts'
import { runsOutAt, prepaidStateOf } from './prepaid.ts'
import { updateNoticeSent } from './queries.ts'

/** Mails an admin that prepaid credit is low or used up. */
export function mailPrepaidCreditAlert({ db, mail, publicUrl }: MailDocumentDependencies): Run<typeof creditAlert> {
  return async ({ account: id, user, event, key }) => {
    const account = await db.selectFrom('prepaid_account').selectAll().where('id', '=', id).executeTakeFirst()
    const row = await db
      .selectFrom('prepaid_account as a')
      .innerJoin('organisation as o', 'o.id', 'a.organisation_id')
      .innerJoin('portal_user as u', 'u.organisation_id', 'o.id')
      .leftJoin('training as t', 't.id', 'a.training_id')
      .select(['o.name as organisation', 'o.time_zone', 't.name as training', 'u.email'])
      .where('a.id', '=', id)
      .where('u.id', '=', user)
      .executeTakeFirst()
    if (account === undefined || row === undefined) return
    const subject = row.training ?? row.organisation
    const state = await prepaidStateOf(db, account)
    const out = runsOutAt(state)
    const left = formatRupees(Math.max(0, state.left) / 100)
    const stops = 'Its machines are being stopped. Orders and starts are refused until more credit is bought.'
    const continues = 'Its machines go on running. Their usage is invoiced.'
    const sentences =
      event === 'used up'
        ? [`The prepaid credit of ${subject} is used up.`, account.hard_limit ? stops : continues]
        : [
            `${left} of the prepaid credit of ${subject} are left, before tax.`,
            ...(out === null
              ? []
              : [
                  `With the machines that run now, it is used up on ${instantIn(out, row.time_zone)} (${row.time_zone}).`,
                ]),
          ]
    await mail.send({
      key: `credit-${key}-${user}`,
      to: row.email,
      subject: `Prepaid credit of ${subject}: ${event === 'used up' ? 'used up' : `${left} left`}`.replaceAll(
        /[\r\n]+/g,
        ' ',
      ),
      ...plainEmail(['Hello,', ...sentences, `Buy credit in the portal: ${publicUrl}/ledger/credit`, 'Trainyard']),
    })
  }
}

const instantIn = (at: Date, timeZone: string): string =>
  at.toLocaleString('en-GB', { timeZone, day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })

const EFFECTS: Readonly<Record<OverdueStage, string>> = {
  warn: 'If it stays unpaid, new orders are put on hold and machines are stopped. The days are on the page Prepaid Credit.',
  hold: 'New orders are on hold until it is paid. Running machines are not affected yet.',
  stop: 'Machines are stopped at 22:00 today and stay off until it is paid. New orders are on hold.',
}

/** Mails the recipients of invoices that a step of the policy for overdue invoices has begun. */
export function mailOverdueNotice({ db, mail, publicUrl }: MailDocumentDependencies): Run<typeof creditOverdue> {
  return async ({ notice: id }, signal) => {
    const row = await db
      .selectFrom('overdue_notice as n')
      .innerJoin('organisation as o', 'o.id', 'n.organisation_id')
      .select(['n.organisation_id', 'o.name', 'n.stage', 'n.invoice', 'n.due_on'])
      .where('n.id', '=', id)
      .where('n.sent_to', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return
    const { organisation_id: organisation, name, stage, invoice, due_on } = row
    const [current] = await openInvoices(db, await supplierToday(db), { organisation, invoice })
    const to = current === undefined ? [] : await billingEmailsOf(db, organisation)
    const mailed = await mailEach(to, signal, async (address) => {
      await mail.send({
        key: `overdue-${id}-${address}`,
        to: address,
        subject: `Overdue invoice ${invoice} of ${name}`.replaceAll(/[\r\n]+/g, ' '),
        ...plainEmail([
          'Hello,',
          `${formatRupees(current!.open / 100)} of invoice ${invoice} for ${name} was due on ${formatDay(due_on)}.`,
          EFFECTS[stage],
          `Pay it in the portal: ${publicUrl}/ledger/account`,
          'Trainyard',
        ]),
      })
    })
    await updateNoticeSent(db, [...mailed.delivered], id)
    mailed.reportRejection()
  }
}
