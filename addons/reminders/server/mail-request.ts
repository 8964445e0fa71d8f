import { paymentRequest } from './requests.ts'
import type { Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { formatRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { billingEmailsOf, type MailDocumentDependencies, plainEmail } from '@trainyard/invoices/server/mail.ts'
import { mailEach } from '@trainyard/platform/server/mail/mail-each.ts'
import { REQUEST_STATE_SQL, updateRequestSent } from './queries.ts'

export function mailRequest({ db, mail, publicUrl }: MailDocumentDependencies): Run<typeof paymentRequest> {
  return async ({ request: id }, signal) => {
    const row = await db
      .selectFrom('payment_request as r')
      .innerJoin('organisation', 'organisation.id', 'r.organisation_id')
      .leftJoin('payment as p', 'p.request', 'r.id')
      .select(['r.organisation_id', 'organisation.name', 'r.amount_paise', 'r.about', 'r.expires_at', 'time_zone'])
      .select(REQUEST_STATE_SQL.as('state'))
      .where('r.id', '=', id)
      .where('r.sent_to', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return
    const to = row.state === 'open' ? await billingEmailsOf(db, row.organisation_id) : []
    const amount = formatRupees(rupeesOfPaise(row.amount_paise))
    const until = row.expires_at.toLocaleDateString('en-GB', { timeZone: row.time_zone })
    const mailed = await mailEach(to, signal, async (address) => {
      await mail.send({
        key: `payment-request-${id}-${address}`,
        to: address,
        subject: `Payment request for ${row.name}: ${amount}`.replaceAll(/[\r\n]+/g, ' '),
        ...plainEmail([
          'Hello,',
          `Please pay ${amount} for ${row.name}: ${row.about}`,
          `An admin of ${row.name} can pay it in the portal until ${until}: ${publicUrl}/ledger/account?request=${id}`,
          'Trainyard',
        ]),
      })
    })
    await updateRequestSent(db, [...mailed.delivered], id)
    mailed.reportRejection()
  }
}
