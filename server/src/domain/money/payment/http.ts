import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PaymentId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/schema/payment.ts'
import type { Actor } from '../../../core/actor.ts'
import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { notFound, conflict, Problem } from '../../../core/errors.ts'
import { type Payments, PaymentsError, type SeenPayment } from '../../../providers/payments.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { creditedBy } from '../ledger/entries.ts'
import { holdOrganisation } from '../../people/organisation/scope.ts'
import { makePaymentDue } from './due.ts'
import { lookAtOrder } from './look.ts'
import { giveBack } from '../../../reconcile/give-back.ts'
import { recordSeen } from './record.ts'
import { makeRefundsDue } from './refund-due.ts'
import { askForRefund, refundsOf } from './refunds.ts'
import { cancelRequest, holdRequest, orderOfRequest, requestPayment, requestsOf } from './requests.ts'

/** Milliseconds that somebody waits for the provider at most. */
const PATIENCE = 12_000

/**
 * The one part of the API that asks a provider while somebody waits: before the transaction, never in it.
 * @param payments null: nobody can pay online here
 */
export function paymentHandlers({
  payments,
  jobs,
}: {
  readonly payments: Payments | null
  readonly jobs: Jobs
}): HandlersOf<'payment'> {
  return {
    order: prepared({
      async prepare(db, { actor, body }) {
        const { organisation } = actor
        if (organisation === null) throw notFound('organisation')
        const provider = atHand(payments)
        const id = randomUUID() as PaymentId
        const amount = paiseOfRupees(body.amount)!
        const request = (body.request ?? null) as PaymentRequestId | null
        const made = request === null ? null : await orderOfRequest(db, organisation.id, request, amount)
        const { checkout } = provider
        if (made !== null) return { id, orderId: made, amount, organisation, checkout, request }
        const order = { receipt: id, amount, notes: { organisation: organisation.name, paidBy: actor.email } }
        const { orderId } = await asked(provider.createOrder(order, AbortSignal.timeout(PATIENCE)))
        return { id, orderId, amount, organisation, checkout, request }
      },

      async change(tx, { actor }, { id, orderId: made, amount, organisation, checkout, request }) {
        await holdOrganisation(tx, organisation.id, 'use')
        let orderId = made
        if (request !== null) {
          // Of two who pay one request at once the second gets the first one's order: what it made itself nobody is told.
          await holdRequest(tx, request)
          const first = await orderOfRequest(tx, organisation.id, request, amount)
          if (first !== null) orderId = first
        }
        await sql`
          insert into payment (id, organisation_id, amount_paise, order_id, asked_by, request, reconcile_at)
          values (${id}, ${organisation.id}, ${amount}, ${orderId}, ${actor.email}, ${request},
            portal_now() + interval '1 minute') on conflict (request) do nothing`.execute(tx)
        return { order_id: orderId, amount, currency: 'INR', keyId: checkout.keyId, checkoutScript: checkout.script }
      },
    }),

    verify: prepared({
      async prepare(db, { actor, body }) {
        const payment = await paymentOfOrder(db, actor, body.order_id)
        const provider = atHand(payments)
        // The order is the one that we stored; what the browser says of it proves nothing.
        const told = { orderId: payment.order_id, paymentId: body.payment_id, signature: body.signature }
        if (!provider.checkout.isGenuine(told) || body.amount !== payment.amount_paise) throw unverified()
        // Asked again, also while the provider does not answer.
        if (payment.credited.includes(body.payment_id)) return { payment, seen: [] }
        const seen = await asked(seenOf(provider, payment))
        // A credited payment proves nothing about this order: it may have been made for another one.
        if (!seen.some(({ id, orderId }) => id === body.payment_id && orderId === payment.order_id)) {
          throw conflict('This order has no such payment: nothing was verified, and nothing was credited.')
        }
        return { payment, seen }
      },

      async change(tx, { body }, { payment, seen }: { payment: PaymentRow; seen: readonly SeenPayment[] }) {
        if (seen.length > 0) {
          const row = await locked(tx, payment)
          const { outcome } = await recordSeen(tx, row, seen)
          await giveBack(tx, { table: 'payment' }, row, { ...outcome, error: null })
        }
        if (await isCredited(tx, payment, body.payment_id)) return { message: ALERTS.paymentVerified }
        if (seen.some(({ id, state }) => id === body.payment_id && state !== 'captured')) {
          throw new Problem('unavailable', 'The payment is on its way and is credited as soon as it arrives.', 5)
        }
        throw unverified()
      },
    }),

    requests: (db, { actor, query }) => requestsOf(db, actor, query.organization),

    async request(tx, { actor, body }) {
      atHand(payments)
      return requestPayment(tx, jobs, actor, body)
    },

    cancelRequest: (tx, { body }) => cancelRequest(tx, body.id),

    refunds: (db, { query }) => refundsOf(db, query.organization),

    async refund(tx, { actor, body }) {
      atHand(payments)
      return askForRefund(tx, actor, body)
    },

    async webhook(tx, { body, header }) {
      const event = atHand(payments).checkout.readEvent(body, header)
      if (event === 'forged') throw new Problem('forbidden', 'This was not signed by the payment provider.')
      // An event only says where to look: what happened is asked of the provider itself, by a worker.
      if (event.orderId !== null) {
        await makePaymentDue(tx, event.orderId)
        await makeRefundsDue(tx, event.orderId)
      }
      return { message: 'Heard.' }
    },
  }
}

function atHand(payments: Payments | null): Payments {
  if (payments === null) throw conflict('Nobody can pay online here: no payment provider is set up.')
  return payments
}

const unverified = (): Problem => new Problem('invalid', ALERTS.paymentFailed)

/** Returns the provider's payments for an order; none where it knows no such order. */
async function seenOf(provider: Payments, payment: PaymentRow): Promise<readonly SeenPayment[]> {
  try {
    return await lookAtOrder(provider, payment, AbortSignal.timeout(PATIENCE))
  } catch (error) {
    if (error instanceof PaymentsError && error.kind === 'refused') return []
    throw error
  }
}

/** Returns the provider's answer. Its errors become problems: its own words where it refuses, else to try again. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.kind === 'refused') throw new Problem('invalid', error.message)
    throw new Problem('unavailable', `${error.message} Please try again shortly.`, Math.max(5, error.retryAfter ?? 5))
  }
}

/** @throws Problem notFound, the same for another organisation's order and for none */
async function paymentOfOrder(db: Db, { organisation }: Actor, orderId: string): Promise<PaymentRow> {
  if (organisation === null) throw notFound('payment')
  const { rows } = await sql<PaymentRow>`
    select * from payment where order_id = ${orderId} and organisation_id = ${organisation.id}`.execute(db)
  if (rows[0] === undefined) throw notFound('payment')
  return rows[0]
}

async function locked(tx: Tx, { id }: PaymentRow): Promise<PaymentRow & { now: Date }> {
  const { rows } = await sql<PaymentRow & { now: Date }>`
    select *, portal_now() as now from payment where id = ${id} for update`.execute(tx)
  return rows[0]!
}

const isCredited = async (db: Db, payment: PaymentRow, paymentId: string): Promise<boolean> =>
  (await creditedBy(db, payment.organisation_id, paymentId)) !== null
