import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { searchHandlers } from './server/http.ts'

export default serverModule({
  name: 'search',
  calls: () => ({ search: searchHandlers }),
})
