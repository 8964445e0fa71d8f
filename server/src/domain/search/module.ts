import { serverModule } from '../../core/module.ts'
import { searchHandlers } from './http.ts'

export default serverModule({
  name: 'search',
  calls: () => ({ search: searchHandlers }),
})
