import { invoiceMail } from '../mail.ts'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../../contract/invoice.ts'
import type { TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import { isSupplyDocument } from '@trainyard/ledger/contract/tax-document.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { BILLING_ZONE } from '@trainyard/templates/server/price-at.ts'
import { irnOf } from '../gst/serial.ts'
import { renderPdf, type Registration } from '../pdf/document.ts'
import type { IssuedDocument } from '../read.ts'
import { publishEntryOf } from '../publish-entry.ts'

type PortalReply = Omit<BodyOf<typeof invoice.register>, 'number'>

/**
 * Records a registration once. E-mails the document if it was withheld until the registration.
 * @throws Problem conflict; invalid if the reference number belongs to another document, or the date cannot be right
 */
export async function registerDocument(
  tx: Tx,
  jobs: JobQueue,
  issued: IssuedDocument,
  reply: PortalReply,
  by: string,
): Promise<void> {
  const { document, id } = issued
  const expected = expectedIrn(issued)
  if (expected === '') throw conflict('The e-invoice portal does not accept this kind of document.')
  if (reply.irn !== expected) {
    throw new Problem(
      'invalid',
      'irn belongs to another document: it must match the GST number, year, kind and number.',
    )
  }
  const ackDate = new Date(reply.ackDate)
  if (ackDate > (await portalNow(tx))) throw new Problem('invalid', 'ackDate must not be in the future.')
  if (clock.format(ackDate).slice(0, 10) < document.date!)
    throw new Problem('invalid', 'ackDate must not be before the date of the document.')
  const added = await tx
    .insertInto('tax_document_registration')
    .values({
      document_id: id,
      irn: reply.irn,
      ack_number: reply.ackNumber,
      ack_date: ackDate,
      signed_qr: reply.signedQr,
      pdf: await renderPdf(document, registeredOf(reply.irn, reply.ackNumber, ackDate, reply.signedQr)),
      recorded_by: by,
    })
    .onConflict((on) => on.doNothing())
    .returning('document_id')
    .executeTakeFirst()
  if (added === undefined) throw conflict(`${document.number} is already registered.`)
  if (issued.isHeld) {
    await publishEntryOf(tx, id)
    await jobs.enqueue(tx, invoiceMail, [{ document: id }])
  }
}

/** Returns the expected reference number; '' if the e-invoice portal does not accept the document. */
export const expectedIrn = ({ document: { kind, supplier, number, date, supplyType } }: IssuedDocument): string =>
  !isSupplyDocument(kind) || supplyType === 'B2C' ? '' : irnOf(supplier.gstin, kind, number!, date!)

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: BILLING_ZONE, dateStyle: 'short', timeStyle: 'short' })

const registeredOf = (irn: string, ackNumber: string, at: Date, signedQr: string): Registration => ({
  irn,
  ackNumber,
  ackDate: clock.format(at),
  signedQr,
})

/** Returns a document's registration as its pages show it. */
export async function registrationOnPaper(db: Db, id: TaxDocumentId): Promise<Registration> {
  const row = await db
    .selectFrom('tax_document_registration')
    .select(['irn', 'ack_number', 'ack_date', 'signed_qr'])
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow()
  return registeredOf(row.irn, row.ack_number, row.ack_date, row.signed_qr)
}

export async function registrationOf(db: Db, id: TaxDocumentId): Promise<ReplyOf<typeof invoice.read>['registration']> {
  const row = await db
    .selectFrom('tax_document_registration')
    .select(['irn', 'ack_number', 'ack_date', 'signed_qr'])
    .where('document_id', '=', id)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { irn: row.irn, ackNumber: row.ack_number, ackDate: row.ack_date.toISOString(), signedQr: row.signed_qr }
}
