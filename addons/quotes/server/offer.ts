import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import { NOT_A_TAX_INVOICE, OFFER_TITLES, type OfferKind } from '../contract/quote-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type Lines, draftOneOff } from '@trainyard/invoices/server/one-off.ts'
import { renderPdf } from '@trainyard/invoices/server/pdf/document.ts'
import { formatDay } from '@trainyard/platform/server/pdf/paper.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { nextSerial } from './queries.ts'

export interface Offer {
  readonly number: string
  readonly date: string
  readonly document: TaxDocument
  readonly pdf: Buffer
}

/**
 * Returns a quote or a proforma invoice of today, with the next number of its series. The series of tax documents are
 * separate.
 * @throws Problem conflict if settings are missing
 */
export async function makeOffer(
  tx: Tx,
  kind: OfferKind,
  organisation: Pick<OrganisationInScope, 'id'>,
  lines: Lines,
  facts: readonly (readonly [string, string])[],
): Promise<Offer> {
  const draft = await draftOneOff(tx, organisation, lines)
  const date = await supplierToday(tx)
  const number = await nextNumber(tx, kind, date)
  const document = { ...draft.document, number, date }
  const pdf = await renderPdf(document, null, {
    title: OFFER_TITLES[kind],
    notice: NOT_A_TAX_INVOICE,
    facts,
    hasBank: kind === 'proforma',
  })
  return { number, date, document, pdf }
}

export const validityFact = (day: string): readonly [string, string] => ['Valid until', formatDay(day)]

/** The row stays locked until the transaction ends, so that numbers have no gaps and no duplicates. */
async function nextNumber(tx: Tx, kind: OfferKind, day: string): Promise<string> {
  const year = financialYear(day)
  const { rows } = await nextSerial(tx, kind, year)
  return `${kind === 'quote' ? 'Q' : 'PF'}-${year}-${String(rows[0]!.serial).padStart(4, '0')}`
}
