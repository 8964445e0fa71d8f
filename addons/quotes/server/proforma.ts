import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, QuoteId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { canPayProforma } from '../contract/quote-words.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { addPurchase } from '@trainyard/prepaid-credit/server/purchase.ts'
import type { capturedFor, purpose, remark } from '@trainyard/payments/server/purpose.ts'
import { selectProformas, lockQuoteOfProforma, lockQuote, selectOnAccountEntry, type Proforma } from './queries.ts'

/** @param condition condition for the alias `q` of the quote */
async function proformaWhere(db: Db, condition: RawBuilder<unknown>): Promise<Proforma | undefined> {
  const { rows } = await selectProformas(db, condition)
  return rows[0]
}

/**
 * Returns the quote of a proforma invoice, and its unpaid order of this amount; null without one.
 * @throws Problem notFound, also for an organisation that does not own it; conflict if it cannot be paid, or if the
 * amount is not what is left of it
 */
async function orderOfProforma(
  db: Db,
  organisation: OrganisationId,
  number: string,
  amount: number,
): Promise<{ readonly quote: QuoteId; readonly order: string | null }> {
  const found = await proformaWhere(db, sql`q.organisation_id = ${organisation} and q.proforma = ${number}`)
  if (found === undefined) throw notFound('proforma invoice')
  const { quote, leftPaise } = found
  const may = canPayProforma(found)
  if (may !== true) throw conflict(may)
  if (amount !== leftPaise) {
    throw conflict(`${formatRupees(rupeesOfPaise(leftPaise))} of ${number} is open. Pay exactly this amount.`)
  }
  const unpaid = await db
    .selectFrom('payment')
    .select('order_id')
    .where('quote_id', '=', quote)
    .where('amount_paise', '=', leftPaise)
    .where('paid_at', 'is', null)
    .executeTakeFirst()
  return { quote, order: unpaid?.order_id ?? null }
}

/** Returns a proforma invoice as the purpose of an order. */
export const proformaToPay: AnswerTo<typeof purpose> = async (
  db,
  { organisation, body: { proforma }, amount, lockIn },
) => {
  if (proforma === undefined) return null
  // Payments for one quote are recorded one after the other.
  if (lockIn !== null) await lockQuoteOfProforma(lockIn, organisation, proforma)
  const { quote, order } = await orderOfProforma(db, organisation, proforma, amount)
  return { order, columns: { quote_id: quote } }
}

/** Purpose of money that was captured for the order of a proforma invoice. */
interface CapturedFor {
  readonly proforma: string
  /** Reason why the payment is on account; null if it is for the proforma invoice or its tax invoice. */
  readonly onAccount: string | null
  /** Tax invoice that was issued for the proforma invoice in the meantime, which the payment settles. */
  readonly settles: string | null
  /** Prepaid credit that the payment buys; null: none. */
  readonly buys: { readonly training: TrainingId | null } | null
}

/**
 * Locks the quote of an order and returns the purpose of a payment of the order. The proforma invoice can have been
 * paid, withdrawn or invoiced after the payer opened the checkout, and its tax invoice cancelled. The money is never
 * refused.
 */
async function lockCapturedFor(tx: Tx, quote: QuoteId): Promise<CapturedFor> {
  await lockQuote(tx, quote)
  const found = (await proformaWhere(tx, sql`q.id = ${quote}`))!
  const { proforma, state, invoice, invoiceCancelled, leftPaise, prepaid, training } = found
  const onAccount =
    state === 'withdrawn'
      ? `${proforma} was withdrawn`
      : invoiceCancelled
        ? `${invoice} was cancelled`
        : invoice === null && leftPaise <= 0
          ? `${proforma} was paid already`
          : null
  return {
    proforma,
    onAccount,
    settles: invoiceCancelled ? null : invoice,
    buys: prepaid && onAccount === null ? { training } : null,
  }
}

/** Says what money is for that was captured for the order of a proforma invoice. */
export const capturedForProforma: AnswerTo<typeof capturedFor> = async (tx, { payment, amount, particular: paid }) => {
  const { organisation_id: organisation, quote_id: quote, asked_by: by } = payment
  if (quote === null) return null
  const { proforma, onAccount, settles, buys } = await lockCapturedFor(tx, quote)
  return {
    particular: onAccount === null ? `${paid} for ${proforma}` : `${paid} on account because ${onAccount}`,
    settles,
    async complete(id) {
      if (buys !== null) await addPurchase(tx, { organisation, ...buys }, { payment: id, amount: paise(amount) })
      if (onAccount !== null || settles !== null) return null
      await assignToProforma(tx, quote, { organisation, id, by })
      return { proforma }
    },
  }
}

/** Assigns a payment, whose ledger entry was added in this transaction, to the proforma invoice of a locked quote. */
export async function assignToProforma(
  tx: Tx,
  quote: QuoteId,
  payment: { readonly organisation: OrganisationId; readonly id: string; readonly by: string },
): Promise<void> {
  await tx
    .insertInto('proforma_payment')
    .values({ organisation_id: payment.organisation, payment: payment.id, quote_id: quote, recorded_by: payment.by })
    .execute()
}

/** Returns the sentence for a payer whose payment for a proforma invoice is on account; null for other payments. */
export const onAccountSentence: AnswerTo<typeof remark> = async (db, { organisation, payment }) => {
  const { rows } = await selectOnAccountEntry(db, organisation, payment)
  return rows[0] === undefined ? null : `${rows[0].particular}.`
}
