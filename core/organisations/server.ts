import { serveLogos } from './server/logos.ts'
import { logoOf } from './server/logo.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { organisationCalls } from './server/http.ts'

export default serverModule({
  name: 'organisations',
  calls: () => ({ organisation: organisationCalls() }),
  routes: (server, { db, limits }) => serveLogos(server, limits, (digest) => logoOf(db, digest)),
  tables: {
    sql: new URL('tables.sql', import.meta.url),
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
