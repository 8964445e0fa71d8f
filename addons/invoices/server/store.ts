import { invoiceMail } from './mail.ts'
import type { TaxDocument } from '../contract/invoice.ts'
import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import {
  DOCUMENT_TITLES,
  isChargingDocument,
  isEnteredDocument,
  isSupplyDocument,
  formatMonth,
  needsRegistration,
} from '@trainyard/ledger/contract/tax-document.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { supplierSettings } from './supplier/settings.ts'
import { serialNumber } from './gst/serial.ts'
import { inv01 } from './e-invoice/inv-01.ts'
import { renderPdf } from './pdf/document.ts'
import { postDocument, selectNumber } from './queries.ts'
import { publishEntryOf } from './publish-entry.ts'

export interface UnissuedDocument {
  readonly organisation: OrganisationId
  readonly document: TaxDocument
  readonly prefix: string
  /** Invoice that a credit or debit note corrects, or receipt voucher to which a refund voucher refers. */
  readonly ofDocument?: TaxDocumentId
  /** Payment for which a receipt voucher is issued, or refund for which a refund voucher is issued. */
  readonly money?: string
  readonly refundKind?: 'refund' | 'payment reversal'
  /** Email of the user, or name of the task. */
  readonly by: string
}

/**
 * Issues a document. The series stays locked until the transaction ends, so that numbers have no gaps and no
 * duplicates.
 * @param jobs null sends no mail
 */
export async function issueDocument(tx: Tx, jobs: JobQueue | null, unissued: UnissuedDocument): Promise<string> {
  const { organisation, document, prefix, ofDocument, money, by } = unissued
  const { turnover, paymentDays } = await supplierSettings(tx)
  const issued = await assignNumber(tx, document, prefix, paymentDays)
  const { number, date, totals, kind } = issued.document
  const isEntered =
    !isEnteredDocument(kind) ||
    (await addEntry(tx, {
      organisation,
      kind: isChargingDocument(kind) ? 'invoice' : 'payment',
      reference: number,
      particular: particularOf(issued.document),
      amount: totals.totalPaise as Paise,
      date,
      source: 'issued',
      by,
    }))
  if (!isEntered) throw conflict(`The ledger already has a manual entry ${number}. Choose another prefix.`)
  const isHeld = needsRegistration(turnover, kind, document.supplyType)
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
      due_on: issued.document.dueOn,
      month: document.month === null || kind !== 'invoice' ? null : `${document.month}-01`,
      of_document: ofDocument ?? null,
      payment: kind === 'receipt voucher' ? money! : null,
      refund: kind === 'refund voucher' ? money! : null,
      refund_kind: kind === 'refund voucher' ? (unissued.refundKind ?? 'refund') : null,
      taxable_paise: totals.taxablePaise as Paise,
      cgst_paise: totals.cgstPaise as Paise,
      sgst_paise: totals.sgstPaise as Paise,
      igst_paise: totals.igstPaise as Paise,
      round_off_paise: totals.roundOffPaise as Paise,
      total_paise: totals.totalPaise as Paise,
      content: JSON.stringify(issued.document),
      e_invoice: isSupplyDocument(kind) ? JSON.stringify(inv01(issued.document)) : null,
      pdf: await renderPdf(issued.document, null),
      needs_registration: isHeld,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (isEnteredDocument(kind)) await postDocument(tx, id)
  if (!isHeld) {
    await publishEntryOf(tx, id)
    await jobs?.enqueue(tx, invoiceMail, [{ document: id }])
  }
  return number
}

async function assignNumber(tx: Tx, document: TaxDocument, prefix: string, paymentDays: number) {
  const today = await supplierToday(tx)
  const year = financialYear(today)
  // The transaction may have waited past midnight for the previous document. The date must not be before that
  // document's date.
  const { rows } = await selectNumber(tx, { today, paymentDays, gstin: document.supplier.gstin, prefix, year })
  const { serial, date, due } = rows[0]!
  const dueOn = isChargingDocument(document.kind) ? due : null
  return { document: { ...document, number: serialNumber(prefix, year, serial), date, dueOn }, serial, year }
}

function particularOf({ kind, month, of, items }: TaxDocument): string {
  const title = capitalised(DOCUMENT_TITLES[kind].toLowerCase())
  if (of !== null) return `${title} for ${of.number}`
  return `${title}, ${month === null ? items[0]!.description : formatMonth(month)}`
}

const capitalised = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`
