import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { requireSettled } from '../../money/ledger/balance.ts'
import { organisationCalls } from './http.ts'
import { endPasswordSessions } from '../user/sessions.ts'

export default serverModule({
  name: 'organisations',
  calls: () => ({ organisation: organisationCalls(requireSettled, endPasswordSessions) }),
  tables: {
    personal: {
      organisation: withoutOwner(
        'name time_zone logo gst second_factor management_sources azure_tags',
        // A person can be the contact.
        'help_email',
      ),
      organisation_logo: withoutOwner('type', '', 'digest bytes'),
    },
  },
})
