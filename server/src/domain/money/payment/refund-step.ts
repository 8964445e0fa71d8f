import { randomUUID } from 'node:crypto'
import type { RefundRow } from '../../../db/schema/refund.ts'
import { writeAudit } from '../../../core/audit.ts'
import { type Payments, PaymentsError, type SeenRefund } from '../../../providers/payments.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import type { Result, Step } from '../../../reconcile/outcome.ts'
import { nextLook } from './due.ts'
import { REFUND_DUE } from './refund-due.ts'
import { enterRefund } from './refund-entry.ts'

const AT_ONCE = 4
/** Banks take days over some refunds: after the first ones they are asked about daily. */
const DAY = 86_400

/**
 * Has the provider pay back what is asked for. A refund is sent under its own id, with the same words each time, and is
 * looked for before it is sent again: a reply that was lost, or a worker that died, pays nothing twice.
 */
export function refundKind(payments: Payments): Kind<RefundRow> {
  const send: Step<RefundRow> = async ({ id, payment, amount_paise }, signal) => {
    try {
      return recorded(await payments.refund({ paymentId: payment, amount: amount_paise, receipt: id }, signal))
    } catch (error) {
      if (!(error instanceof PaymentsError) || error.kind !== 'refused') throw error
      return refused(error.message)
    }
  }
  return {
    table: 'refund',
    channel: REFUND_DUE,
    atOnce: AT_ONCE,
    lastingPause: 'any',
    async step(refund, signal) {
      // Made due once more while its end was being written: that is told of once.
      if (refund.state === 'processed' || refund.state === 'failed') return { next: null }
      // The row says that it may have been sent before anything is.
      if (refund.state === 'wanted') return { set: { state: 'sent' }, next: send }
      const found = await payments.refundsOf(refund.payment, signal)
      const mine = found.find(({ receipt }) => receipt === refund.id)
      return mine === undefined ? { next: send } : recorded(mine)
    },
    failed: (_refund, error) => ({ set: { last_error: error.message }, error }),
  }
}

/** Writes down what the provider says of a refund; processed, it is entered in the ledger in the same transaction. */
const recorded =
  (seen: SeenRefund): Result<RefundRow> =>
  async (tx, row) => {
    const { state, id: number } = seen
    if (state === 'pending') {
      const age = (row.now.getTime() - row.created_at.getTime()) / 1000
      return { set: { state, number }, next: nextLook(age, false) ?? DAY }
    }
    if (state === 'failed') return ended(tx, row, { state, number, last_error: 'The bank did not take it.' })
    await enterRefund(tx, row, row.payment, seen)
    return ended(tx, row, { state, number })
  }

const refused =
  (words: string): Result<RefundRow> =>
  (tx, row) =>
    ended(tx, row, { state: 'failed', last_error: words })

async function ended(
  tx: Parameters<typeof writeAudit>[0],
  { id, payment, organisation_id }: RefundRow,
  set: Pick<RefundRow, 'state'> & Partial<Pick<RefundRow, 'number' | 'last_error'>>,
) {
  const asked = { refund: id, payment, state: set.state, number: set.number ?? null }
  const organisation = organisation_id
  await writeAudit(tx, { call: 'payment.refunded', requestId: randomUUID(), actor: null, asked, organisation })
  return { set, next: 'over' as const }
}
