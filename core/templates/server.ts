import { on } from '@trainyard/platform/server/core/events.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { templateHandlers } from './server/http.ts'
import { readOffers } from './server/read-offers.ts'
import type { Cloud } from './server/cloud.ts'
import type { MachineMetrics } from './server/machine-metrics.ts'

declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly cloud: Cloud
    /** Metrics of machines; if omitted, idle machines are not detected. */
    readonly metrics?: MachineMetrics
  }
}

export default serverModule({
  name: 'templates',
  calls: () => ({ template: templateHandlers }),
  tasks: ({ db, cloud }) => [
    { name: 'read VM sizes and image terms', every: 15, on: 'one', run: (signal) => readOffers(db, cloud, signal) },
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
        `name resource_group location vnet vm_size image_id os licence plan_publisher plan_product plan_version cpu memory
        storage disk azure_tags disk_sku disk_encryption_set address_kind`,
        'refusal',
      ),
      template_assignment: withoutOwner(''),
    },
  },
})
