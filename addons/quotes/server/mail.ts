import type { QuoteId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { NOT_A_TAX_INVOICE, OFFER_TITLES, type OfferKind } from '../contract/quote-words.ts'
import { billingEmailsOf, type MailDocumentDependencies, plainEmail } from '@trainyard/invoices/server/mail.ts'
import { mailEach } from '@trainyard/platform/server/mail/mail-each.ts'
import { formatDay } from '@trainyard/platform/server/pdf/paper.ts'
import { fileName } from '@trainyard/invoices/server/read.ts'

export const quoteMail = job<{ readonly quote: QuoteId; readonly kind: OfferKind }>('quote.mail', EMAILS)

/** The key is unique per quote, kind and recipient, so that a repeated job sends no duplicate. */
export function mailQuote({ db, mail, publicUrl }: MailDocumentDependencies): Run<typeof quoteMail> {
  return async ({ quote: id, kind }, signal) => {
    const row = await db
      .selectFrom('quote')
      .innerJoin('organisation', 'organisation.id', 'quote.organisation_id')
      .select(['organisation_id', 'organisation.name', 'valid_until', 'state', 'prepaid'])
      .select(kind === 'quote' ? ['content', 'pdf'] : ['proforma_content as content', 'proforma_pdf as pdf'])
      .where('quote.id', '=', id)
      .executeTakeFirstOrThrow()
    if (row.state === 'withdrawn' || row.pdf === null) return
    const { number, totals, supplier } = row.content as TaxDocument
    const title = OFFER_TITLES[kind]
    const next =
      kind === 'quote'
        ? `An admin of ${row.name} can accept or decline it in the portal until ${formatDay(row.valid_until)}: ${publicUrl}/ledger/account`
        : `${NOT_A_TAX_INVOICE}. ${row.prepaid ? 'Its payment becomes prepaid credit' : 'The tax invoice follows'}. See the portal: ${publicUrl}/ledger/account`
    const mailed = await mailEach(await billingEmailsOf(db, row.organisation_id), signal, async (address) => {
      await mail.send({
        key: `quote-${id}-${kind}-${address}`,
        to: address,
        subject: `${title} ${number} from ${supplier.legalName}`,
        ...plainEmail([
          'Hello,',
          `The ${title.toLowerCase()} ${number} for ${row.name} over ${formatRupees(totals.totalPaise / 100)} is attached.`,
          next,
          'Trainyard',
        ]),
        attachments: [{ name: fileName(number!, 'pdf'), type: 'application/pdf', content: row.pdf! }],
      })
    })
    mailed.reportRejection()
  }
}
