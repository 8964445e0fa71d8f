import { serverModule } from '../../../core/module.ts'
import { creditHandlers } from './http.ts'

export default serverModule({
  name: 'prepaid-credit',
  requires: ['invoices'],
  calls: () => ({ credit: creditHandlers }),
})
