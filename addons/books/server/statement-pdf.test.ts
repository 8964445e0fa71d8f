import { expect, test } from 'vitest'
import type { AccountStatement } from '../contract/books.ts'
import { pdfDrawn } from '@trainyard/platform/test/pdf.ts'
import { SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { statementPdf } from './statement-pdf.ts'

const statement: AccountStatement = {
  organization: 'Acme',
  legalName: 'अकादमी Private Limited',
  gst: '29AABCR1718E1ZL',
  from: '2026-10-01',
  to: '2026-10-31',
  openingPaise: -50_05,
  closingPaise: 0,
  sums: {
    invoices: 200_00,
    creditNotes: 20_00,
    payments: 130_00,
    tds: 9_95,
    reversals: 0,
    writeOffs: 0,
    refunds: 10_00,
  },
  entries: [
    {
      date: '2026-10-02',
      particular: 'Tax invoice',
      kind: 'invoice',
      id: 'INV/1',
      owedPaise: 200_00,
      balancePaise: 149_95,
    },
    { date: '2026-10-31', particular: 'Bank', kind: 'payment', id: 'NEFT 1', owedPaise: -149_95, balancePaise: 0 },
  ],
}

/** A snapshot file lists the position, font and colour of each text on a page. */
test.each([
  ['settled', statement, SUPPLIER],
  [
    'owed',
    { ...statement, gst: null, openingPaise: 0, closingPaise: 12_34, entries: [] },
    { ...SUPPLIER, gstin: null },
  ],
  // The summary does not fit on the page on which the entries end.
  ['summary-on-next', { ...statement, entries: Array.from({ length: 37 }, () => statement.entries[0]!) }, SUPPLIER],
  ['unnamed-supplier', { ...statement, entries: [] }, { ...SUPPLIER, legalName: null }],
] as const)('renders the pages of a statement: %s', async (name, content, supplier) => {
  const pdf = await statementPdf({ ...content, entries: [...content.entries] }, supplier, '2026-11-05')
  await expect(`${(await pdfDrawn(pdf)).join('\n')}\n`).toMatchFileSnapshot(`test-pages/statement-${name}.txt`)
})
