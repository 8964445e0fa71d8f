import { serverModule } from '../../../core/module.ts'
import { portHandlers } from './http.ts'

export default serverModule({
  name: 'ports',
  calls: () => ({ port: portHandlers }),
})
