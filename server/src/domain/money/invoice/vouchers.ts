import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { OWED } from '../ledger/balance.ts'
import { holdCharging } from '../meter/months.ts'
import { rateOn, readySupplier } from '../supplier/readiness.ts'
import { holdSupplier, supplierSettings } from '../supplier/settings.ts'
import { customerOf, customerProblems } from './customer.ts'
import { supplierToday } from './draft.ts'
import { issueDocument, type Unissued } from './store.ts'
import { leftOf, receiptVoucherOf, refundVoucherOf } from './voucher.ts'

/** Days back that payments and refunds are looked at: what could not be vouched for by then is left to people. */
const DAYS = 60

interface Unvouched {
  readonly organisation: OrganisationId
  readonly kind: 'payment' | 'refund'
  readonly number: string
  /** YYYY-MM-DD. */
  readonly date: string
  readonly amount: Paise
  /** Of a refund: the payment that was paid back. */
  readonly of: string | null
  /** Owed once it was entered; below zero: paid ahead. */
  readonly balance: number
}

/**
 * Issues what money paid ahead needs: a receipt voucher for the part of a payment that no invoice asks for, a refund
 * voucher where such money is paid back. Each has a transaction of its own; it runs again and again, and issues nothing
 * twice. A customer that can't be invoiced yet is passed over until they can. Answers the numbers.
 * @throws the first error of a voucher, once all others are issued
 */
export async function vouchWhereDue(db: Db, jobs: Jobs, signal: AbortSignal): Promise<string[]> {
  const { vouchersFrom, ...settings } = await supplierSettings(db)
  if (vouchersFrom === null || readySupplier({ ...settings, vouchersFrom }) === null) return []
  const numbers: string[] = []
  let failed: { readonly error: unknown } | null = null
  // A refund voucher is against the receipt voucher of an earlier entry: the oldest first.
  for (const money of await unvouched(db, vouchersFrom)) {
    if (signal.aborted) break
    try {
      const number = await db.transaction().execute((tx) => vouchFor(tx, jobs, vouchersFrom, money))
      if (number !== null) numbers.push(number)
    } catch (error) {
      failed ??= { error }
    }
  }
  if (failed !== null) throw failed.error
  return numbers
}

async function vouchFor(tx: Tx, jobs: Jobs, from: string, seen: Unvouched): Promise<string | null> {
  await holdSupplier(tx, 'use')
  await holdCharging(tx, seen.organisation)
  // An invoice may have been issued while this waited, and ask for the money.
  const [money] = await unvouched(tx, from, seen)
  if (money === undefined) return null
  const by = 'issue vouchers'
  const unissued = money.kind === 'payment' ? await receiptFor(tx, money) : await refundFor(tx, money)
  if (unissued === null) return null
  const number = await issueDocument(tx, jobs, {
    ...unissued,
    organisation: money.organisation,
    money: money.number,
    by,
  })
  const asked = { organisation: money.organisation, number, money: money.number }
  const { organisation } = money
  await writeAudit(tx, { call: 'invoice.voucher', requestId: randomUUID(), actor: null, organisation, asked })
  return number
}

type Vouched = Omit<Unissued, 'organisation' | 'money' | 'by'>

async function receiptFor(tx: Tx, { organisation, number, date, amount, balance }: Unvouched): Promise<Vouched | null> {
  if ((await voucherOf(tx, organisation, number)) !== null) return null
  const settings = await supplierSettings(tx)
  const supplier = readySupplier(settings)
  const customer = await customerOf(tx, organisation)
  const rate = rateOn(settings, await supplierToday(tx))
  if (supplier === null || rate === null || customerProblems(customer).length > 0) return null
  const advance = paise(Math.min(amount, -balance))
  const document = receiptVoucherOf(supplier, customer, { number, date }, advance, rate)
  return { document, prefix: settings.receiptPrefix }
}

/** Money that an invoice asks for since is no advance any more: what is paid back of it is a credit note's business. */
async function refundFor(
  tx: Tx,
  { organisation, number, date, amount, of, balance }: Unvouched,
): Promise<Vouched | null> {
  const voucher = await voucherOf(tx, organisation, of!)
  if (voucher === null) return null
  const { refundPrefix, gstin } = await supplierSettings(tx)
  const against = await tx
    .selectFrom('tax_document')
    .select(['content', 'refund'])
    .where('of_document', '=', voucher.id)
    .execute()
  const notes = against.map(({ content }) => content as TaxDocument)
  const isVouched = against.some(({ refund }) => refund === number)
  const ahead = amount - Math.max(0, balance)
  const back = paise(Math.min(ahead, leftOf(voucher.content, notes)))
  if (isVouched || back <= 0 || gstin !== voucher.content.supplier.gstin) return null
  const document = refundVoucherOf(voucher.content, notes, { number, date }, back)
  // Of a last paisa or two nothing may be left before tax: there is no document over nothing.
  if (document.totals.taxablePaise <= 0) return null
  return { document, prefix: refundPrefix, ofDocument: voucher.id }
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
 * Returns payments that were ahead of what was owed, and refunds of payments that have a voucher, that have no voucher of
 * their own, the oldest first. What was owed once an entry was made is what is owed now, less what came after it.
 * @param only the entry to look at; without it all
 */
async function unvouched(
  db: Db | Tx,
  from: string,
  only?: Pick<Unvouched, 'organisation' | 'kind' | 'number'>,
): Promise<Unvouched[]> {
  const since = sql`greatest(${from}::date, ${await supplierToday(db)}::date - ${DAYS}::int)`
  const ofOne = only && sql`and o.id = ${only.organisation}`
  const one = only && sql`and kind = ${only.kind} and reference = ${only.number}`
  const { rows } = await sql<Unvouched>`
    with money as (
      select e.*, b.invoice_paise - b.payment_paise - coalesce((select sum(${OWED}) from ledger_entry later
          where later.organisation_id = e.organisation_id and (later.created_at, later.id) > (e.created_at, e.id)), 0)
        as balance
      from organisation o join ledger_balance b on b.organisation_id = o.id
        join ledger_entry e on e.organisation_id = o.id and e.date >= ${since}
      where o.removed_at is null ${ofOne ?? sql``} and e.kind in ('payment', 'refund') and e.source <> 'issued' and e.amount_paise > 0
        and not exists (select from tax_document d
          where d.organisation_id = e.organisation_id and (d.payment = e.reference or d.refund = e.reference)))
    select organisation_id as organisation, kind, reference as number, to_char(date, 'YYYY-MM-DD') as date,
      amount_paise as amount, refund_of as of, balance::float8 as balance
    from money m
    where case kind when 'payment' then balance < 0
      else exists (select from tax_document d where d.organisation_id = m.organisation_id and d.payment = m.refund_of)
        or exists (select from money p where p.organisation_id = m.organisation_id and p.reference = m.refund_of) end
      ${one ?? sql``}
    order by created_at, id`.execute(db)
  return rows
}
