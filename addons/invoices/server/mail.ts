import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import type { TaxDocument } from '../contract/invoice.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { DOCUMENT_TITLES } from '@trainyard/ledger/contract/tax-document.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { escapeHtml, type Mail } from '@trainyard/platform/server/mail/mail.ts'
import { activeAdmins } from '@trainyard/users/server/admins.ts'
import { customerOf } from './customer.ts'
import { mailEach } from '@trainyard/platform/server/mail/mail-each.ts'
import { fileName } from './read.ts'

export const invoiceMail = job<{ readonly document: TaxDocumentId }>('invoice.mail', EMAILS)

export const invoiceCancelled = job<{ readonly document: TaxDocumentId }>('invoice.cancelled', EMAILS)

export interface MailDocumentDependencies {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}

/**
 * Mails a document when it is issued, or when it is cancelled. The key is unique per document, event and recipient, so
 * that a repeated job sends no duplicate. A cancelled document is no longer mailed as issued.
 */
export function mailDocument(
  { db, mail, publicUrl }: MailDocumentDependencies,
  event: 'issued' | 'cancelled',
): Run<typeof invoiceMail> {
  const isCancelled = event === 'cancelled'
  return async ({ document: id }, signal) => {
    const row = await db
      .selectFrom('tax_document as d')
      .leftJoin('tax_document_registration as r', 'r.document_id', 'd.id')
      .leftJoin('e_invoice_cancellation as c', 'c.document_id', 'd.id')
      .select(['organisation_id', 'number', 'content', 'needs_registration', 'irn', 'cancelled_at'])
      .select((eb) => eb.fn.coalesce('c.pdf', 'r.pdf', 'd.pdf').as('pdf'))
      .where('d.id', '=', id)
      .executeTakeFirstOrThrow()
    if (row.needs_registration && row.irn === null) return
    if ((row.cancelled_at !== null) !== isCancelled) return
    const { name } = await customerOf(db, row.organisation_id)
    const to = await billingEmailsOf(db, row.organisation_id)
    const document = row.content as TaxDocument
    const title = DOCUMENT_TITLES[document.kind]
    const link = `${publicUrl}/ledger/invoice?number=${encodeURIComponent(row.number)}`
    const mailed = await mailEach(to, signal, async (address) => {
      const total = formatRupees(document.totals.totalPaise / 100)
      const lines = [
        'Hello,',
        isCancelled
          ? `The ${title.toLowerCase()} ${row.number} for ${name} over ${total} is cancelled. It is no longer valid. Your account shows the changed balance.`
          : `The ${title.toLowerCase()} ${row.number} for ${name} over ${total} is attached.`,
        `View it in the portal: ${link}`,
        'Trainyard',
      ]
      await mail.send({
        key: `${isCancelled ? 'cancelled-' : ''}document-${id}-${address}`,
        to: address,
        subject: `${isCancelled ? 'Cancelled: ' : ''}${title} ${row.number} from ${document.supplier.legalName}`,
        ...plainEmail(lines),
        attachments: [{ name: fileName(row.number, 'pdf'), type: 'application/pdf', content: row.pdf }],
      })
    })
    mailed.reportRejection()
  }
}

export async function billingEmailsOf(db: Db, organisation: OrganisationId): Promise<string[]> {
  const { emails } = await customerOf(db, organisation)
  return emails.length > 0 ? emails : (await activeAdmins(db, organisation)).map(({ email }) => email)
}

export const plainEmail = (lines: readonly string[]): { readonly text: string; readonly html: string } => ({
  text: `${lines.join('\n\n')}\n`,
  html: `<!doctype html><html lang="en"><body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</body></html>`,
})
