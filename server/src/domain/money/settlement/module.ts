import { serverModule } from '../../../core/module.ts'
import { settlementHandlers } from './http.ts'

export default serverModule({
  name: 'settlements',
  calls: () => ({ settlement: settlementHandlers }),
})
