import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import type { TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import { isOfSupply } from '@trainyard/contract/words/tax-document.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { BILLING_ZONE } from '../meter/months.ts'
import { irnOf } from './gst/serial.ts'
import { pdfOf, type Registered } from './pdf/document.ts'
import type { IssuedDocument } from './read.ts'

type Answered = Omit<BodyOf<typeof invoice.register>, 'number'>

/**
 * Records what the e-invoice portal answered for a document, once, and makes the pages that bear it. The pages as they
 * were issued stay too.
 * @throws Problem conflict, or invalid for the reference number of another document
 */
export async function registerDocument(tx: Tx, issued: IssuedDocument, answered: Answered, by: string): Promise<void> {
  const { document, id } = issued
  const expected = expectedIrn(issued)
  if (expected === '') throw conflict('The e-invoice portal takes no such document.')
  if (answered.irn !== expected) {
    throw new Problem('invalid', 'irn is of another document: it follows from GST number, year, kind and number.')
  }
  const ackDate = new Date(answered.ackDate)
  const added = await tx
    .insertInto('tax_document_registration')
    .values({
      document_id: id,
      irn: answered.irn,
      ack_number: answered.ackNumber,
      ack_date: ackDate,
      signed_qr: answered.signedQr,
      pdf: await pdfOf(document, registeredOf(answered.irn, answered.ackNumber, ackDate, answered.signedQr)),
      recorded_by: by,
    })
    .onConflict((on) => on.doNothing())
    .returning('document_id')
    .executeTakeFirst()
  if (added === undefined) throw conflict(`${document.number} is registered already.`)
}

/** Returns the reference number that the portal will give a document; empty: it takes no such document. */
export const expectedIrn = ({ document: { kind, supplier, number, date, supplyType } }: IssuedDocument): string =>
  !isOfSupply(kind) || supplyType === 'B2C' ? '' : irnOf(supplier.gstin, kind, number!, date!)

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: BILLING_ZONE, dateStyle: 'short', timeStyle: 'short' })

const registeredOf = (irn: string, ackNumber: string, at: Date, signedQr: string): Registered => ({
  irn,
  ackNumber,
  ackDate: clock.format(at),
  signedQr,
})

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
