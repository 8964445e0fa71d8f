import { serverModule } from '../../../core/module.ts'
import { priceHandlers } from '../price/http.ts'
import { quoteHandlers } from './http.ts'

export default serverModule({
  name: 'quotes',
  requires: ['invoices', 'prepaid-credit'],
  calls: (parts) => ({ quote: quoteHandlers(parts), price: priceHandlers }),
})
