import { randomUUID } from 'node:crypto'
import type { PaymentRow } from '../tables.gen.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Payments } from './payments-provider.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import { fetchOrderPayments } from './fetch-payments.ts'
import { recordPayments } from './record.ts'

/** Maximum number of concurrent polls. The provider answers more polls with 429. */
const CONCURRENCY = 6

export const paymentKind = (payments: Payments): Kind<PaymentRow> => ({
  table: 'payment',
  maxConcurrent: CONCURRENCY,
  // The retry delay after an error also applies when a new event arrives.
  retainedPause: 'any',
  async step(payment, signal) {
    const seen = await fetchOrderPayments(payments, payment, signal)
    return async (tx, row) => {
      const { added, completed, outcome } = await recordPayments(tx, row, seen)
      if (added.length > 0) {
        const asked = {
          payment: row.id,
          order: row.order_id,
          added,
          ...completed,
        }
        await writeAudit(tx, { call: 'payment.credit', requestId: randomUUID(), actor: null, request: asked })
      }
      return outcome
    }
  },
  // The error is shown from the first failure on, because a payer may be waiting for the credit.
  onError: (_payment, error) => ({ set: { last_error: error.message }, error }),
})
