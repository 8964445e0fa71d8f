import { serverModule, reconciles } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { PAYMENT_GAUGES } from './server/gauges.ts'
import { paymentHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { refundKind } from './server/refund-step.ts'
import { paymentKind } from './server/step.ts'
import type { Payments } from './server/payments-provider.ts'
import { paymentsOf } from './server/connection.ts'
import { instrumentedOrNull } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly payments: Payments | null
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
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
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      payment: withoutOwner('order_id credited settles', 'asked_by last_error'),
      refund: withoutOwner('payment entry_kind state number', 'reason asked_by last_error'),
    },
    invariants: INVARIANTS,
  },
  gauges: PAYMENT_GAUGES,
})
