import { type ExportPart, type BookkeepingProgram } from '../contract/books-words.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { csvHead, csvLine } from '@trainyard/platform/contract/words/csv.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { organisationInScope, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { customerOf } from '@trainyard/invoices/server/customer.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { bookedEntries } from './entries.ts'
import { nameCustomerLedgers } from './ledger-names.ts'
import { receiptPdf, receivedPayment } from './receipt.ts'
import { statementPdf } from './statement-pdf.ts'
import { statementOf } from './statement.ts'
import { entriesOfNoCustomer } from './other-entries.ts'
import { TALLY_HEAD, tallyLines, tallySettlementLines } from './tally.ts'
import {
  accountMasters,
  customerMaster,
  TALLY_XML_END,
  TALLY_XML_HEAD,
  tallySettlementVoucher,
  tallyVoucher,
} from './tally-xml.ts'
import { ZOHO_HEAD, zohoJournalLines, zohoLines } from './zoho.ts'

interface ExportSelection {
  readonly books: BookkeepingProgram
  readonly what: ExportPart
  readonly from: string
  readonly to: string
  readonly organisation: OrganisationId | null
}

export const booksHandlers: HandlersOf<'books'> = {
  async export(tx, { body: { organization, ...selection } }, db) {
    const organisation = organization === undefined ? null : (await organisationByName(tx, organization)).id
    const { books, what, from, to } = selection
    await nameCustomerLedgers(tx, organisation)
    const name = `${what.replace(' ', '-')}-${books.replace(' xml', '')}-${from}-${to}`
    return books === 'tally xml'
      ? { name: `${name}.xml`, type: 'application/xml', content: xmlOf(db, { ...selection, organisation }) }
      : { name: `${name}.csv`, type: 'text/csv', content: csvOf(db, { ...selection, organisation }) }
  },

  async statement(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return statementOf(db, id, query.period)
  },

  async statementPdf(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    const statement = await statementOf(tx, id, body.period)
    const pdf = await statementPdf(statement, await supplierSettings(tx), await supplierToday(tx))
    return { name: `statement-${body.period}.pdf`, type: 'application/pdf', content: [pdf] }
  },

  async receiptPdf(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    const payment = await receivedPayment(tx, id, body.id)
    const pdf = await receiptPdf(payment, await customerOf(tx, id), await supplierSettings(tx), await supplierToday(tx))
    return { name: `receipt-${payment.date}.pdf`, type: 'application/pdf', content: [pdf] }
  },
}

/** Yields the lines of a CSV file. */
async function* csvOf(db: Db, { books, what, from, to, organisation }: ExportSelection): AsyncIterable<string> {
  const isTally = books !== 'zoho' || what === 'refunds' || what === 'corrections' || what === 'all entries'
  const head = isTally ? TALLY_HEAD : ZOHO_HEAD[what]
  yield csvHead(head)
  if (what === 'settlements') {
    const toLines = isTally ? tallySettlementLines : zohoJournalLines
    for await (const entry of entriesOfNoCustomer(db, { from, to }))
      for (const line of toLines(entry)) yield csvLine(line)
    return
  }
  for await (const entry of bookedEntries(db, what, { from, to }, organisation)) {
    // Neither file has a column for cancelled documents.
    if (entry.isCancelled) continue
    for (const line of isTally ? tallyLines(entry) : zohoLines(entry)) yield csvLine(line)
  }
}

/** Yields the XML for TallyPrime. TallyPrime requires each customer's ledger before the customer's first voucher. */
async function* xmlOf(db: Db, { what, from, to, organisation }: ExportSelection): AsyncIterable<string> {
  yield TALLY_XML_HEAD
  yield accountMasters()
  const named = new Set<OrganisationId>()
  if (what !== 'settlements') {
    for await (const entry of bookedEntries(db, what, { from, to }, organisation)) {
      if (!named.has(entry.organisation)) yield customerMaster(entry)
      named.add(entry.organisation)
      yield tallyVoucher(entry)
    }
  }
  // Settlements do not belong to a single organisation.
  if (what === 'settlements' || (what === 'all entries' && organisation === null))
    for await (const entry of entriesOfNoCustomer(db, { from, to })) yield tallySettlementVoucher(entry)
  yield TALLY_XML_END
}
