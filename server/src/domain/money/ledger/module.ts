import { serverModule } from '../../../core/module.ts'
import { enteredInvoice } from '../invoice/entered.ts'
import { ledgerHandlers } from './http.ts'

export default serverModule({
  name: 'ledger',
  calls: () => ({ ledger: ledgerHandlers({ enteredInvoice }) }),
})
