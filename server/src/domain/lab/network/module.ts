import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { networkHandlers } from './http.ts'

export default serverModule({
  name: 'private-networks',
  calls: (parts) => ({ network: networkHandlers(parts) }),
  tables: {
    personal: {
      private_network: withoutOwner(
        'name route ranges held_at agent_version agent_address agent_ranges duplicate_addresses',
        '',
        'ticket_key ticket_public_key enrolment_hash agent_key',
      ),
    },
  },
})
