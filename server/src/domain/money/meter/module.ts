import { serverModule } from '../../../core/module.ts'
import { meterHandlers } from './http.ts'

export default serverModule({
  name: 'usage',
  calls: () => ({ meter: meterHandlers }),
})
