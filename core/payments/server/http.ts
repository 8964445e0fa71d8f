import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PaymentId } from '@trainyard/platform/contract/words/ids.ts'
import type { payment as calls } from '../contract/payment.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow } from '../tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { notFound, conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { type Payments, PaymentsError, type ProviderPayment } from './payments-provider.ts'
import { creditedBy } from '@trainyard/ledger/server/entries.ts'
import { settledBy } from '@trainyard/ledger/server/settled-by.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { makePaymentDue, restartPolling } from './due.ts'
import { fetchOrderPayments } from './fetch-payments.ts'
import { releaseClaim } from '@trainyard/platform/server/run/reconcile/release-claim.ts'
import { purpose, remark } from './purpose.ts'
import { selectPaymentOfOrder, lockPaymentRow } from './queries.ts'
import { recordPayments } from './record.ts'
import { makeRefundsDue } from './refund-due.ts'
import { requestRefund, refundsOf } from './refunds.ts'

const PROVIDER_TIMEOUT_MS = 12_000

/** `prepare` calls the provider before the transaction, never inside it. */
export function paymentHandlers({
  payments,
}: {
  readonly payments: Payments | null
}): Pick<HandlersOf<'payment'>, keyof typeof calls> {
  return {
    order: prepared({
      async prepare(db, { actor, body }) {
        const { organisation } = actor
        if (organisation === null) throw notFound('organisation')
        const provider = requirePayments(payments)
        const id = randomUUID() as PaymentId
        const amount = paiseOfRupees(body.amount)!
        const found = await ask(db, purpose, { organisation: organisation.id, body, amount, lockIn: null })
        if (found === null && (body.request ?? body.proforma ?? body.prepaid) !== undefined)
          throw new Problem('invalid', 'This portal takes payments only for invoices.')
        const sharedOrder = found?.order ?? null
        const prepared = { id, amount, organisation, checkout: provider.checkout, sharedOrder }
        if (sharedOrder !== null) return { ...prepared, newOrder: null }
        // An order of the provider that no payment can use is never created.
        if (body.invoice) await settledBy(db, organisation, body.invoice, amount, 'customer')
        const order = { receipt: id, amount, notes: { organisation: organisation.name, paidBy: actor.email } }
        const { orderId } = await translateErrors(provider.createOrder(order, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)))
        return { ...prepared, newOrder: orderId }
      },

      async change(tx, { actor, body }, { id, amount, organisation, checkout, sharedOrder, newOrder }) {
        // The order is locked before all else, like by the worker that credits it, to avoid deadlocks.
        if (sharedOrder !== null) await restartPolling(tx, sharedOrder)
        await lockOrganisation(tx, organisation.id, 'use')
        const settles = body.invoice ? await settledBy(tx, organisation, body.invoice, amount, 'customer') : null
        // If two users pay for the same purpose concurrently, both receive the first order. The second order is never
        // used.
        const found = await ask(tx, purpose, { organisation: organisation.id, body, amount, lockIn: tx })
        const first = found?.order ?? null
        const orderId = first ?? newOrder
        if (orderId === null) throw conflict('The order was paid in the meantime. Open the payment again.')
        if (first === null) {
          const order = {
            id,
            organisation_id: organisation.id,
            amount_paise: amount,
            order_id: orderId,
            asked_by: actor.email,
            settles,
            on_account: body.invoice === null,
            reconcile_at: sql<Date>`portal_now() + interval '1 minute'`,
          }
          await tx
            .insertInto('payment')
            .values({ ...order, ...found?.columns })
            .execute()
        }
        return { order_id: orderId, amount, currency: 'INR', keyId: checkout.keyId, checkoutScript: checkout.scriptUrl }
      },
    }),

    verify: prepared({
      async prepare(db, { actor, body }) {
        const payment = await paymentOfOrder(db, actor, body.order_id)
        const provider = requirePayments(payments)
        // The order ID is read from our row, because the fields that the browser sends prove nothing.
        const returned = { orderId: payment.order_id, paymentId: body.payment_id, signature: body.signature }
        if (!provider.checkout.isGenuine(returned) || body.amount !== payment.amount_paise) throw unverified()
        // A repeated verification succeeds even while the provider does not answer.
        if (payment.credited.includes(body.payment_id)) return { payment, seen: [] }
        const seen = await translateErrors(seenOf(provider, payment))
        // A credited payment does not prove that this order was paid, because the payment may belong to another order.
        if (!seen.some(({ id, orderId }) => id === body.payment_id && orderId === payment.order_id)) {
          throw conflict('This order has no such payment. Nothing was credited.')
        }
        return { payment, seen }
      },

      async change(
        tx,
        { body, auditChange },
        { payment, seen }: { payment: PaymentRow; seen: readonly ProviderPayment[] },
      ) {
        if (seen.length > 0) {
          const row = await lockPayment(tx, payment)
          const { completed, outcome } = await recordPayments(tx, row, seen)
          if (completed !== null) auditChange(null, { ...completed, payment: body.payment_id })
          await releaseClaim(tx, { table: 'payment' }, row, { ...outcome, error: null })
        }
        if (await isCredited(tx, payment, body.payment_id)) {
          const added = await ask(tx, remark, { organisation: payment.organisation_id, payment: body.payment_id })
          return { message: [ALERTS.paymentVerified, added].filter((part) => part !== null).join(' ') }
        }
        if (seen.some(({ id, state }) => id === body.payment_id && state !== 'captured')) {
          throw new Problem(
            'unavailable',
            'The payment is being processed. It will be credited when it is complete.',
            5,
          )
        }
        throw unverified()
      },
    }),

    refunds: (db, { query }) => refundsOf(db, query.organization),

    async refund(tx, { actor, body }) {
      requirePayments(payments)
      return requestRefund(tx, actor, body)
    },

    async webhook(tx, { body, header }) {
      const event = requirePayments(payments).checkout.readEvent(body, header)
      if (event === 'forged') throw new Problem('forbidden', 'The signature of the payment provider is invalid.')
      // An event only names the order: a worker reads from the provider what happened.
      if (event.orderId !== null) {
        await makePaymentDue(tx, event.orderId)
        await makeRefundsDue(tx, event.orderId)
      }
      return { message: 'Event accepted.' }
    },
  }
}

/** @throws Problem conflict without a payment provider */
export function requirePayments(payments: Payments | null): Payments {
  if (payments === null) throw conflict('Online payment is not available: no payment provider is set up.')
  return payments
}

const unverified = (): Problem => new Problem('invalid', ALERTS.paymentFailed)

async function seenOf(provider: Payments, payment: PaymentRow): Promise<readonly ProviderPayment[]> {
  try {
    return await fetchOrderPayments(provider, payment, AbortSignal.timeout(PROVIDER_TIMEOUT_MS))
  } catch (error) {
    if (error instanceof PaymentsError && error.kind === 'refused') return []
    throw error
  }
}

/** A refusal keeps the provider's message, other errors ask the client to retry. */
async function translateErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.kind === 'refused') throw new Problem('invalid', error.message)
    throw new Problem('unavailable', `${error.message} Please try again shortly.`, Math.max(5, error.retryAfter ?? 5))
  }
}

/** @throws Problem notFound, also for an order of another organisation */
async function paymentOfOrder(db: Db, { organisation }: Actor, orderId: string): Promise<PaymentRow> {
  if (organisation === null) throw notFound('payment')
  const { rows } = await selectPaymentOfOrder(db, orderId, organisation.id)
  if (rows[0] === undefined) throw notFound('payment')
  return rows[0]
}

async function lockPayment(tx: Tx, { id }: PaymentRow): Promise<PaymentRow & { now: Date }> {
  const { rows } = await lockPaymentRow(tx, id)
  return rows[0]!
}

const isCredited = async (db: Db, payment: PaymentRow, paymentId: string): Promise<boolean> =>
  (await creditedBy(db, payment.organisation_id, paymentId)) !== null
