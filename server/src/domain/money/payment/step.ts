import { randomUUID } from 'node:crypto'
import type { PaymentRow } from '../../../db/schema/payment.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Payments } from '../../../providers/payments.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import { PAYMENT_DUE } from './due.ts'
import { lookAtOrder } from './look.ts'
import { recordSeen } from './record.ts'

/** Orders asked about at once: a provider that many look at answers 429. */
const AT_ONCE = 6

/** Looks at orders for payments: those nobody came back from, those the provider says something of, those paid back. */
export const paymentKind = (payments: Payments): Kind<PaymentRow> => ({
  table: 'payment',
  channel: PAYMENT_DUE,
  atOnce: AT_ONCE,
  // Whatever the provider tells meanwhile, one that fails is given its pause.
  lastingPause: 'any',
  async step(payment, signal) {
    const seen = await lookAtOrder(payments, payment, signal)
    return async (tx, row) => {
      const { added, outcome } = await recordSeen(tx, row, seen)
      if (added.length > 0) {
        const asked = { payment: row.id, order: row.order_id, added }
        await writeAudit(tx, { call: 'payment.credit', requestId: randomUUID(), actor: null, asked })
      }
      return outcome
    }
  },
  // Shown from the first on: somebody may wait for their money to be credited.
  failed: (_payment, error) => ({ set: { last_error: error.message }, error }),
})
