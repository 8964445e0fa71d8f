import { serverModule, reconciles } from '../../../core/module.ts'
import { paymentHandlers } from './http.ts'
import { refundKind } from './refund-step.ts'
import { paymentKind } from './step.ts'

export default serverModule({
  name: 'payments',
  calls: (parts) => ({ payment: paymentHandlers(parts) }),
  kinds: [
    reconciles('payment', ({ payments }) => payments && paymentKind(payments)),
    reconciles('refund', ({ payments }) => payments && refundKind(payments)),
  ],
})
