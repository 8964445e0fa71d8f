import { serverModule } from '../../../core/module.ts'
import { costHandlers } from './http.ts'

export default serverModule({
  name: 'provider-costs',
  calls: () => ({ cost: costHandlers }),
})
