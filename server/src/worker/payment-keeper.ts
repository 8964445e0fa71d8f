import type { PaymentRow } from '../db/schema/payment.ts'
import { PAYMENT_DUE, payments } from '../domain/payment/due.ts'
import { type PaymentStepParts, takePaymentStep } from '../domain/payment/step.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** Orders asked about at once: a provider that many look at answers 429. */
const CONCURRENCY = 6

/** Looks at orders for payments: those nobody came back from, those the provider says something of, those paid back. */
export function startPaymentKeeper(options: PaymentStepParts & LeasedLoopOptions): Running {
  const { db } = options
  return startLeasedLoop<PaymentRow>(
    {
      channel: PAYMENT_DUE,
      claimDue: (count, leaseSeconds) => payments.claimDue(db, count, leaseSeconds),
      keepLeases: (held, leaseSeconds) => payments.keepLeases(db, held, leaseSeconds),
      untilDue: () => payments.untilDue(db),
      step: (payment, signal) => takePaymentStep(options, payment, signal),
    },
    { ...options, concurrency: CONCURRENCY },
  )
}
