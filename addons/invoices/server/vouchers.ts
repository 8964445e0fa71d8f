import { randomUUID } from 'node:crypto'
import type { TaxDocument } from '../contract/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { rateOn, readySupplier } from './supplier/readiness.ts'
import { lockSupplier, supplierSettings } from './supplier/settings.ts'
import { customerProblems, customers } from './customer.ts'
import { selectEntriesWithoutVoucher, type EntryWithoutVoucher } from './queries.ts'
import { issueDocument, type UnissuedDocument } from './store.ts'
import { remainingOf, receiptVoucherOf, refundVoucherOf } from './voucher.ts'

/**
 * Issues the due vouchers, each in a separate transaction. Idempotent.
 * @throws the first error, after all other vouchers
 */
export async function issueDueVouchers(db: Db, jobs: JobQueue, signal: AbortSignal): Promise<string[]> {
  const { vouchersFrom, ...settings } = await supplierSettings(db)
  if (vouchersFrom === null || readySupplier({ ...settings, vouchersFrom }) === null) return []
  const numbers: string[] = []
  let failed: { readonly error: unknown } | null = null
  // The oldest entry is first, because a refund voucher refers to the receipt voucher of an earlier entry.
  for (const money of await entriesWithoutVoucher(db, vouchersFrom)) {
    if (signal.aborted) break
    try {
      const number = await db.transaction().execute((tx) => issueVoucher(tx, jobs, vouchersFrom, money))
      if (number !== null) numbers.push(number)
    } catch (error) {
      failed ??= { error }
    }
  }
  if (failed !== null) throw failed.error
  return numbers
}

async function issueVoucher(tx: Tx, jobs: JobQueue, from: string, seen: EntryWithoutVoucher): Promise<string | null> {
  await lockSupplier(tx, 'use')
  await lockCharging(tx, seen.organisation)
  // The entry is read again under the lock, because an invoice that was issued in the meantime may have used up the
  // money.
  const [money] = await entriesWithoutVoucher(tx, from, seen)
  if (money === undefined) return null
  const by = 'issue vouchers'
  const unissued = money.kind === 'payment' ? await receiptFor(tx, money) : await refundFor(tx, money)
  if (unissued === null) return null
  const number = await issueDocument(tx, jobs, {
    ...unissued,
    organisation: money.organisation,
    money: money.number,
    ...(money.kind !== 'payment' && { refundKind: money.kind }),
    by,
  })
  const asked = { organisation: money.organisation, number, money: money.number }
  const { organisation } = money
  await writeAudit(tx, { call: 'invoice.voucher', requestId: randomUUID(), actor: null, organisation, request: asked })
  return number
}

type NewVoucher = Omit<UnissuedDocument, 'organisation' | 'money' | 'by'>

async function receiptFor(
  tx: Tx,
  { organisation, number, date, amount, balance }: EntryWithoutVoucher,
): Promise<NewVoucher | null> {
  if ((await voucherOf(tx, organisation, number)) !== null) return null
  const settings = await supplierSettings(tx)
  const supplier = readySupplier(settings)
  // The rate and status of the day of the receipt apply, which is the time of supply of an advance (section 13(2) of
  // the CGST Act).
  const [customer] = await customers(tx, organisation, date)
  const rate = rateOn(settings, date)
  if (supplier === null || rate === null || customer === undefined) return null
  if (customerProblems(customer).length > 0) return null
  const advance = paise(Math.min(amount, -balance))
  const document = receiptVoucherOf(supplier, customer, { number, date }, advance, rate)
  return { document, prefix: settings.receiptPrefix }
}

/**
 * Returns the refund voucher. Money that an invoice has used up is no longer an advance, so its refund needs a credit
 * note instead.
 */
async function refundFor(
  tx: Tx,
  { organisation, kind, number, date, amount, of, balance }: EntryWithoutVoucher,
): Promise<NewVoucher | null> {
  const voucher = await voucherOf(tx, organisation, of!)
  if (voucher === null) return null
  const { refundPrefix, gstin } = await supplierSettings(tx)
  const against = await tx
    .selectFrom('tax_document')
    .select(['content', 'refund'])
    .where('of_document', '=', voucher.id)
    .execute()
  const notes = against.map(({ content }) => content as TaxDocument)
  const hasVoucher = against.some(({ refund }) => refund === number)
  const ahead = amount - Math.max(0, balance)
  const refunded = paise(Math.min(ahead, remainingOf(voucher.content, notes)))
  if (hasVoucher || refunded <= 0 || gstin !== voucher.content.supplier.gstin) return null
  const document = refundVoucherOf(voucher.content, notes, { number, date }, refunded)
  // For one or two remaining paise the taxable value can be zero, but a document needs a positive value.
  if (document.totals.taxablePaise <= 0) return null
  const reason = kind === 'refund' ? document.reason : number
  return { document: { ...document, reason }, prefix: refundPrefix, ofDocument: voucher.id }
}

async function voucherOf(
  tx: Tx,
  organisation: OrganisationId,
  payment: string,
): Promise<{ id: TaxDocumentId; content: TaxDocument } | null> {
  const found = await tx
    .selectFrom('tax_document')
    .select(['id', 'content'])
    .where('organisation_id', '=', organisation)
    .where('payment', '=', payment)
    .executeTakeFirst()
  return found === undefined ? null : { id: found.id, content: found.content as TaxDocument }
}

/**
 * Returns the entries without a voucher, oldest first. The balance after an entry is the current balance minus all
 * later entries. Cancelled documents do not count, so that a payment for a cancelled invoice is an advance.
 */
async function entriesWithoutVoucher(
  db: Db | Tx,
  from: string,
  only?: Pick<EntryWithoutVoucher, 'organisation' | 'kind' | 'number'>,
): Promise<EntryWithoutVoucher[]> {
  const today = await supplierToday(db)
  const { organisation = null, kind = null, number = null } = only ?? {}
  const { rows } = await selectEntriesWithoutVoucher(db, { from, today, organisation, number, kind })
  return rows
}
