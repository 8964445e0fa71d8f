import { serverModule } from '../../../core/module.ts'
import { changeRequestHandlers } from './http.ts'

export default serverModule({
  name: 'requests',
  calls: (parts) => ({ changeRequest: changeRequestHandlers(parts) }),
})
