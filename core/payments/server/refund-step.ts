import { randomUUID } from 'node:crypto'
import type { RefundRow } from '../tables.gen.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { type Payments, PaymentsError, type ProviderRefund } from './payments-provider.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { Result, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { secondsToNextPoll } from './due.ts'
import { addRefundEntry } from './refund-entry.ts'

const CONCURRENCY = 4
/** Poll interval of a day, because some banks take five days or more. */
const DAY = 86_400

/**
 * Refunds payments. Searches for the refund's ID before it sends a request again, so that a lost reply never refunds
 * twice.
 */
export function refundKind(payments: Payments): Kind<RefundRow> {
  const send: Step<RefundRow> = async ({ id, payment, amount_paise }, signal) => {
    try {
      return recordRefund(await payments.refund({ paymentId: payment, amount: amount_paise, receipt: id }, signal))
    } catch (error) {
      if (!(error instanceof PaymentsError) || error.kind !== 'refused') throw error
      return recordRefusal(error.message)
    }
  }
  return {
    table: 'refund',
    maxConcurrent: CONCURRENCY,
    retainedPause: 'any',
    async step(refund, signal) {
      // The refund was scheduled again while its final state was being written. It must not be audited twice.
      if (refund.state === 'processed' || refund.state === 'failed') return { next: null }
      // The refund is stored as sent before the call, so that a restarted worker searches for it first.
      if (refund.state === 'wanted') return { set: { state: 'sent' }, next: send }
      const found = await payments.listRefunds(refund.payment, signal)
      const own = found.find(({ receipt }) => receipt === refund.id)
      return own === undefined ? { next: send } : recordRefund(own)
    },
    onError: (_refund, error) => ({ set: { last_error: error.message }, error }),
  }
}

/** Records a refund and adds the ledger entry in the same transaction. */
const recordRefund =
  (seen: ProviderRefund): Result<RefundRow> =>
  async (tx, row) => {
    const { state, id: number } = seen
    if (state === 'pending') {
      const age = (row.now.getTime() - row.created_at.getTime()) / 1000
      return { set: { state, number }, next: secondsToNextPoll(age, false) ?? DAY }
    }
    if (state === 'failed') return finishRefund(tx, row, { state, number, last_error: 'The bank rejected the refund.' })
    await addRefundEntry(tx, row, row.payment, seen)
    return finishRefund(tx, row, { state, number })
  }

const recordRefusal =
  (message: string): Result<RefundRow> =>
  (tx, row) =>
    finishRefund(tx, row, { state: 'failed', last_error: message })

async function finishRefund(
  tx: Parameters<typeof writeAudit>[0],
  { id, payment, organisation_id }: RefundRow,
  set: Pick<RefundRow, 'state'> & Partial<Pick<RefundRow, 'number' | 'last_error'>>,
) {
  const asked = { refund: id, payment, state: set.state, number: set.number ?? null }
  const organisation = organisation_id
  await writeAudit(tx, { call: 'payment.refunded', requestId: randomUUID(), actor: null, request: asked, organisation })
  return { set, next: 'never' as const }
}
