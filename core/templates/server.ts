import { on } from '@trainyard/platform/server/core/events.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { templateHandlers } from './server/http.ts'
import { readOffers } from './server/read-offers.ts'
import type { TemplateForm } from './server/form.ts'
import type { Clouds } from './server/cloud.ts'
import type { MetricsOfProviders } from './server/machine-metrics.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly templateForm: TemplateForm
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    /** The providers of machines that are set up. Each provider's module adds its own. */
    readonly clouds: Clouds
    /** Metrics of machines; if omitted, idle machines are not detected. */
    readonly metrics?: MetricsOfProviders
  }
}

export default serverModule({
  name: 'templates',
  calls: (parts) => ({ template: templateHandlers(parts) }),
  tasks: ({ db, clouds }) => [
    { name: 'read VM sizes and image terms', every: 15, on: 'one', run: (signal) => readOffers(db, clouds, signal) },
  ],
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      await tx.deleteFrom('template_assignment').where('organisation_id', 'in', organisations).execute()
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      template: withoutOwner(
        `name provider place size image location size_name image_id os licence cpu memory storage disk azure_tags
        address_kind`,
        'refusal',
      ),
      template_assignment: withoutOwner(''),
      cloud_limit: withoutOwner('provider location family'),
      cloud_place: withoutOwner('provider location'),
      cloud_size: withoutOwner('provider location size family withheld'),
      cloud_terms: withoutOwner('provider image', 'refusal'),
    },
  },
})
