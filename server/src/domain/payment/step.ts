import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { PaymentRow } from '../../db/schema/payment.ts'
import { writeAudit } from '../../core/audit.ts'
import { type Payments, PaymentsError } from '../../providers/payments.ts'
import { pauseAfter, payments as due } from './due.ts'
import { lookAtOrder } from './look.ts'
import { recordSeen } from './record.ts'

export interface PaymentStepParts {
  readonly db: Db
  readonly payments: Payments
  readonly onFault: (fault: unknown) => void
}

/** Asks the provider about a claimed payment's order and writes down what it has; gives the payment back. */
export async function takePaymentStep(
  parts: PaymentStepParts,
  claimed: PaymentRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, payments, onFault } = parts
  try {
    const seen = await lookAtOrder(payments, claimed, signal)
    await due.withClaimed(db, claimed, async (tx, locked) => {
      const { added } = await recordSeen(tx, { ...locked, generation: claimed.generation }, seen)
      if (added.length === 0) return
      const asked = { payment: locked.id, order: locked.order_id, added }
      await writeAudit(tx, { call: 'payment.credit', requestId: randomUUID(), actor: null, asked })
    })
  } catch (fault) {
    if (!(fault instanceof PaymentsError)) onFault(fault)
    await putOff(db, claimed, fault)
  }
}

async function putOff(db: Db, claimed: PaymentRow, fault: unknown): Promise<void> {
  const ours = 'Something went wrong on our side.'
  const [words, retryAfter] = fault instanceof PaymentsError ? [fault.message, fault.retryAfter ?? 0] : [ours, 0]
  await due.withClaimed(db, claimed, async (tx, { id, attempts }) => {
    const seconds = Math.max(retryAfter, pauseAfter(attempts + 1))
    await sql`
      update payment set attempts = attempts + 1, last_error = ${words}, leased_until = null,
        reconcile_at = portal_now() + make_interval(secs => ${seconds}::float8)
      where id = ${id}`.execute(tx)
  })
}
