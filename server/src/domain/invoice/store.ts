import { sql } from 'kysely'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import { monthWords } from '@trainyard/contract/words/tax-document.ts'
import { conflict } from '../../core/errors.ts'
import type { Tx } from '../../db/schema.ts'
import type { Jobs } from '../../jobs.ts'
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
  /** The invoice that a credit note corrects. */
  readonly ofDocument?: TaxDocumentId
  /** The person or the part that issues it. */
  readonly by: string
}

/**
 * Issues a document: gives it the next number of its series, enters it in the ledger, and stores it with its pages. The
 * number is this transaction's until it ends, so that none is skipped and none given twice.
 * @returns its number
 */
export async function issueDocument(tx: Tx, jobs: Jobs, unissued: Unissued): Promise<string> {
  const { organisation, document, prefix, ofDocument, by } = unissued
  const issued = await numbered(tx, document, prefix)
  const { number, date, totals, kind } = issued.document
  if (kind === 'receipt voucher') throw new Error('A voucher is no entry of the ledger.')
  const added = await addEntry(tx, {
    organisation,
    kind: kind === 'invoice' ? 'invoice' : 'payment',
    reference: number,
    particular: particularOf(issued.document),
    amount: totals.totalPaise as Paise,
    date: date,
    source: 'issued',
    by,
  })
  if (!added) throw conflict(`The ledger has an entry ${number} already, typed by hand. Choose another prefix.`)
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
      payment: null,
      taxable_paise: totals.taxablePaise as Paise,
      cgst_paise: totals.cgstPaise as Paise,
      sgst_paise: totals.sgstPaise as Paise,
      igst_paise: totals.igstPaise as Paise,
      round_off_paise: totals.roundOffPaise as Paise,
      total_paise: totals.totalPaise as Paise,
      content: JSON.stringify(issued.document),
      e_invoice: JSON.stringify(inv01(issued.document)),
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
