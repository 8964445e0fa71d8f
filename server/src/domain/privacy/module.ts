import { serverModule } from '../../core/module.ts'
import { privacyHandlers } from './http.ts'

export default serverModule({
  name: 'privacy',
  calls: () => ({ privacy: privacyHandlers }),
})
