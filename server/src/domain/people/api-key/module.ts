import { serverModule } from '../../../core/module.ts'
import { apiKeyHandlers } from './http.ts'

export default serverModule({
  name: 'api-keys',
  calls: (parts) => ({ apiKey: apiKeyHandlers(parts) }),
})
