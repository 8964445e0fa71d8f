import { expect, test } from 'vitest'
import type { TaxDocument } from '../../contract/invoice.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { DocumentKind } from '@trainyard/ledger/contract/tax-document.ts'
import { amountsIn, pdfText } from '@trainyard/platform/test/pdf.ts'
import { amountsOf, customerNamed, SUPPLIER } from '../../test/tax-documents.ts'
import { creditNoteOf, debitNoteOf, financialCreditNoteOf } from '../credit-note.ts'
import { invoiceOf } from '../document.ts'
import { receiptVoucherOf, refundVoucherOf } from '../voucher.ts'
import { renderPdf } from './document.ts'

const DATE = '2026-11-02'
const customer = (gst: string | null, state: string) =>
  customerNamed('o' as OrganisationId, 'Acme School', { gst, state })
const local = customer('29AABCR1718E1ZL', '29')
const issued = (document: TaxDocument): TaxDocument => ({ ...document, number: 'INV/26-27/00001', date: DATE })
const billed = [
  { description: 'Labs of October', taxablePaise: 1_00_003 },
  { description: 'Setup', taxablePaise: 12_34_567_89, rate: 500, discountPaise: 4_321 },
]
const lines = [
  { machine: 'vm-1', training: 'Labs', seconds: 5_400, amountPaise: 60_001 },
  { machine: 'vm-2', training: 'Labs', seconds: 36, amountPaise: 40_002 },
]
const invoice = issued(invoiceOf(SUPPLIER, local, '2026-10', billed, lines, 1_800, DATE))
const elsewhere = issued(invoiceOf(SUPPLIER, customer(null, '33'), '2026-10', billed, [], 1_800, DATE))
const part = [{ item: 2, paise: 7_77_777 }]
const receipt = issued(receiptVoucherOf(SUPPLIER, local, { number: 'pay_1', date: DATE }, paise(99_999), 1_800))
const refund = { number: 'rfnd_1', date: DATE }

/** Documents of each kind. */
const DOCUMENTS: Readonly<Record<DocumentKind, TaxDocument>> = {
  invoice,
  'credit note': creditNoteOf(invoice, [], part, 'Too high'),
  'debit note': debitNoteOf(elsewhere, [], part, 'Too low'),
  'financial credit note': financialCreditNoteOf(elsewhere, [], part, 'Too high'),
  'receipt voucher': receipt,
  'refund voucher': refundVoucherOf(receipt, [], refund, paise(33_333)),
}

test.each(Object.entries(DOCUMENTS))('shows exactly the amounts and the words of the JSON: %s', async (kind, of) => {
  const document = issued(of)
  expect(document.kind).toBe(kind)
  const text = await pdfText(await renderPdf(document, null))
  expect([...amountsIn(text)].toSorted()).toEqual([...amountsOf(document)].toSorted())
  expect(text).toContain(document.words)
})
