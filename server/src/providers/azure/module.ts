import { serverModule } from '../../core/module.ts'
import { withoutOwner } from '../../core/tables.ts'

export default serverModule({
  name: 'azure',
  tables: {
    personal: {
      cloud_limit: withoutOwner('location family'),
      cloud_place: withoutOwner('location'),
      cloud_size: withoutOwner('location size family withheld'),
      cloud_terms: withoutOwner('publisher product plan'),
    },
  },
})
