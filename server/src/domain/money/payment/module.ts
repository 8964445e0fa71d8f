import { serverModule } from '../../../core/module.ts'
import { paymentHandlers } from './http.ts'

export default serverModule({
  name: 'payments',
  calls: (parts) => ({ payment: paymentHandlers(parts) }),
})
