import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { PAYMENT_GAUGES } from './gauges.ts'
import { paymentHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { refundKind } from './refund-step.ts'
import { paymentKind } from './step.ts'

export default serverModule({
  name: 'payments',
  calls: (parts) => ({ payment: paymentHandlers(parts) }),
  kinds: [
    reconciles('payment', ({ payments }) => payments && paymentKind(payments)),
    reconciles('refund', ({ payments }) => payments && refundKind(payments)),
  ],
  tables: {
    personal: {
      payment: withoutOwner('order_id credited settles', 'asked_by last_error'),
      refund: withoutOwner('payment entry_kind state number', 'reason asked_by last_error'),
    },
    invariants: INVARIANTS,
  },
  gauges: PAYMENT_GAUGES,
})
