import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { PAYMENT_GAUGES } from './gauges.ts'
import { paymentHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { refundKind } from './refund-step.ts'
import { paymentKind } from './step.ts'
import type { Payments } from '../../../providers/payments.ts'
import { paymentsOf } from '../../../providers/razorpay/connection.ts'
import { instrumentedOrNull } from '../../../telemetry/instrumented.ts'

declare module '../../../core/module.ts' {
  interface CallDependencies {
    readonly payments: Payments | null
  }
}
declare module '../../../worker/parts.ts' {
  interface WorkerDependencies {
    readonly payments: Payments | null
  }
}

export default serverModule({
  name: 'payments',
  connectCalls: ({ config, secrets, meters }) => ({
    payments: instrumentedOrNull('razorpay', paymentsOf(config, secrets), meters),
  }),
  connectWorker: async ({ config, secrets, meters }) => ({
    payments: instrumentedOrNull('razorpay', paymentsOf(config, secrets), meters),
  }),
  calls: (parts) => ({ payment: paymentHandlers(parts) }),
  kinds: [
    reconciles('payment', ({ payments }) => payments && paymentKind(payments)),
    reconciles('refund', ({ payments }) => payments && refundKind(payments)),
  ],
  tables: {
    sql: new URL('../../../db/tables/payments.sql', import.meta.url),
    personal: {
      payment: withoutOwner('order_id credited settles', 'asked_by last_error'),
      refund: withoutOwner('payment entry_kind state number', 'reason asked_by last_error'),
    },
    invariants: INVARIANTS,
  },
  gauges: PAYMENT_GAUGES,
})
