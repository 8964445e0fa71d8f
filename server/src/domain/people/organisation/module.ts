import { serveLogos } from '../../../http/logos.ts'
import { logoOf } from './logo.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { organisationCalls } from './http.ts'

export default serverModule({
  name: 'organisations',
  calls: () => ({ organisation: organisationCalls() }),
  routes: (server, { db, limits }) => serveLogos(server, limits, (digest) => logoOf(db, digest)),
  tables: {
    sql: new URL('../../../db/tables/organisations.sql', import.meta.url),
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
