import type { PaymentRow } from '../db/schema/payment.ts'
import { PAYMENT_DUE, payments } from '../domain/payment/due.ts'
import { type PaymentStepParts, takePaymentStep } from '../domain/payment/step.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** Orders asked about at once: a provider that many look at answers 429. */
const CONCURRENCY = 6

/** Looks at orders for payments: those nobody came back from, those the provider says something of, those paid back. */
export function startPaymentKeeper(options: PaymentStepParts & LeasedLoopOptions): Running {
  return startLeasedLoop<PaymentRow>(
    {
      channel: PAYMENT_DUE,
      rows: payments,
      step: (payment, signal) => takePaymentStep(options, payment, signal),
    },
    { ...options, concurrency: CONCURRENCY },
  )
}
