import { sql } from 'kysely'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import { isOfSupply, monthWords } from '@trainyard/contract/words/tax-document.ts'
import { conflict } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { addEntry } from '../ledger/entries.ts'
import { supplierToday } from './draft.ts'
import { financialYear, serialNumber } from './gst/serial.ts'
import { inv01 } from './inv-01.ts'
import { pdfOf } from './pdf/document.ts'

/** A document that is about to be issued. */
export interface Unissued {
  readonly organisation: OrganisationId
  readonly document: TaxDocument
  readonly prefix: string
  /** The invoice that a credit note corrects, or the receipt voucher that a refund voucher is against. */
  readonly ofDocument?: TaxDocumentId
  /** The number of the payment that a receipt voucher is for, or of the refund that a refund voucher is for. */
  readonly money?: string
  /** The person or the part that issues it. */
  readonly by: string
}

/**
 * Issues a document: gives it the next number of its series, enters it in the ledger, where its money does not stand by
 * itself, and stores it with its pages. The number is this transaction's until it ends, so that none is skipped and none
 * given twice.
 * @returns its number
 */
export async function issueDocument(tx: Tx, jobs: Jobs, unissued: Unissued): Promise<string> {
  const { organisation, document, prefix, ofDocument, money, by } = unissued
  const issued = await numbered(tx, document, prefix)
  const { number, date, totals, kind } = issued.document
  const stands =
    !isOfSupply(kind) ||
    (await addEntry(tx, {
      organisation,
      kind: kind === 'invoice' ? 'invoice' : 'payment',
      reference: number,
      particular: particularOf(issued.document),
      amount: totals.totalPaise as Paise,
      date: date,
      source: 'issued',
      by,
    }))
  if (!stands) throw conflict(`The ledger has an entry ${number} already, typed by hand. Choose another prefix.`)
  const { id } = await tx
    .insertInto('tax_document')
    .values({
      organisation_id: organisation,
      kind,
      supplier_gstin: issued.document.supplier.gstin,
      prefix,
      financial_year: issued.year,
      serial: issued.serial,
      issued_on: date,
      month: document.month === null || kind !== 'invoice' ? null : `${document.month}-01`,
      of_document: ofDocument ?? null,
      payment: kind === 'receipt voucher' ? money! : null,
      refund: kind === 'refund voucher' ? money! : null,
      refund_kind: kind === 'refund voucher' ? 'refund' : null,
      taxable_paise: totals.taxablePaise as Paise,
      cgst_paise: totals.cgstPaise as Paise,
      sgst_paise: totals.sgstPaise as Paise,
      igst_paise: totals.igstPaise as Paise,
      round_off_paise: totals.roundOffPaise as Paise,
      total_paise: totals.totalPaise as Paise,
      content: JSON.stringify(issued.document),
      e_invoice: isOfSupply(kind) ? JSON.stringify(inv01(issued.document)) : null,
      pdf: await pdfOf(issued.document, null),
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.put(tx, 'invoice.mail', [{ document: id }])
  return number
}

async function numbered(tx: Tx, document: TaxDocument, prefix: string) {
  const today = await supplierToday(tx)
  const year = financialYear(today)
  // A document that waited over midnight for the one before is no earlier than that.
  const { rows } = await sql<{ serial: number; date: string }>`
    select serial, to_char(greatest(last_issued_on, ${today}::date), 'YYYY-MM-DD') as date
    from next_document_serial(${document.supplier.gstin}, ${prefix}, ${year})`.execute(tx)
  const { serial, date } = rows[0]!
  return { document: { ...document, number: serialNumber(prefix, year, serial), date }, serial, year }
}

const particularOf = ({ kind, month, of }: TaxDocument): string =>
  kind === 'invoice' ? `Tax invoice, ${monthWords(month!)}` : `Credit note for ${of!.number}`
