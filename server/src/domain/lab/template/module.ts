import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { templateHandlers } from './http.ts'
import { readOffers } from './read-offers.ts'

export default serverModule({
  name: 'templates',
  calls: () => ({ template: templateHandlers }),
  tasks: ({ db, cloud }) => [
    { name: 'read VM sizes and image terms', every: 15, on: 'one', run: (signal) => readOffers(db, cloud, signal) },
  ],
  tables: {
    personal: {
      template: withoutOwner(
        `name resource_group location vnet address_kind vm_size image_id os licence plan_publisher plan_product plan_version cpu memory
        storage disk azure_tags disk_sku disk_encryption_set`,
        'refusal',
      ),
      template_assignment: withoutOwner(''),
    },
  },
})
