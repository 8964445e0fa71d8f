import { serverModule } from '../../../core/module.ts'
import { templateHandlers } from './http.ts'

export default serverModule({
  name: 'templates',
  calls: () => ({ template: templateHandlers }),
})
