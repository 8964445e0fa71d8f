import { serverModule } from '../../../core/module.ts'
import { scimHandlers } from './http.ts'

export default serverModule({
  name: 'scim',
  requires: ['rosters'],
  calls: (parts) => ({ scim: scimHandlers(parts) }),
})
