import { serverModule } from '../../core/module.ts'
import { homeHandlers } from './http.ts'

export default serverModule({
  name: 'home',
  calls: () => ({ home: homeHandlers }),
})
