import { sql } from 'kysely'
import type { SupplierSettings } from '@trainyard/invoices/contract/supplier.ts'
import { type Customer, legalNameOf } from '@trainyard/invoices/server/customer.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { createPaper, finishPaper, formatDay } from '@trainyard/platform/server/pdf/paper.ts'
import { drawFacts, fromSupplier } from './facts-pdf.ts'

interface Payment {
  readonly id: string
  readonly particular: string
  readonly amountPaise: number
  readonly date: string
  /** Invoice that it settles; null for the oldest invoices first. */
  readonly settles: string | null
}

/** @throws Problem notFound also for a credit note, which is stored as a payment, and for a reversed payment */
export async function receivedPayment(db: Db, organisation: OrganisationId, id: string): Promise<Payment> {
  const found = await db
    .selectFrom('ledger_entry as e')
    .select(['reference as id', 'particular', 'amount_paise as amountPaise', 'settles'])
    .select(sql<string>`to_char(date, 'YYYY-MM-DD')`.as('date'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'payment')
    .where('reference', '=', id)
    .where('source', '<>', 'issued')
    .where('amount_paise', '>', sql<never>`0`)
    .where(
      sql<boolean>`not exists (select from ledger_entry r where r.organisation_id = e.organisation_id
        and r.kind = 'payment reversal' and r.reverses = e.reference)`,
    )
    .executeTakeFirst()
  if (found === undefined) throw notFound('payment')
  return found
}

/** Returns the PDF. The same content on the same day produces identical bytes. */
export async function receiptPdf(
  payment: Payment,
  customer: Customer,
  supplier: SupplierSettings,
  today: string,
): Promise<Buffer> {
  const { id, particular, amountPaise, date, settles } = payment
  const title = `Receipt of payment ${id}`
  const paper = await createPaper(title, supplier.legalName ?? 'Trainyard', today, [payment, customer, supplier])
  drawFacts(paper, 'Payment Receipt', [
    ['Received from', legalNameOf(customer)],
    ['GST number', customer.gst ?? 'none on record'],
    ...fromSupplier(supplier),
    ['Payment', id],
    ['Received on', formatDay(date)],
    ['Amount', formatRupees(amountPaise / 100)],
    ['Particular', particular],
    ['Settles', settles ?? 'the oldest open invoices first'],
  ])
  paper.font('regular').text('This receipt confirms a payment. It is not a tax invoice.')
  return finishPaper(paper, title)
}
