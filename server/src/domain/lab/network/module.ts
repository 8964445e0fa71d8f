import { serverModule } from '../../../core/module.ts'
import { networkHandlers } from './http.ts'

export default serverModule({
  name: 'private-networks',
  calls: (parts) => ({ network: networkHandlers(parts) }),
})
