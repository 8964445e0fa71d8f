import { on } from '@trainyard/platform/server/core/events.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serverModule, reconciles, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { labImportHandlers } from './server/http.ts'
import { labMoved, sendMoved } from './server/jobs.ts'
import { labImportKind } from './server/step.ts'
import { labServicesOf } from './server/connection.ts'
import type { ConnectLabServices } from './server/lab-services-provider.ts'

declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    /** Connects to the labs of a subscription, for imports. */
    readonly connectLabServices: ConnectLabServices
  }
}

export default serverModule({
  name: 'als-import',
  requires: ['registration', 'class-sessions'],
  connectWorker: async ({ config }, { azureConnection }) => ({
    connectLabServices: await labServicesOf(config, azureConnection),
  }),
  calls: (parts) => ({ labImport: labImportHandlers(parts) }),
  kinds: [reconciles('lab_import', labImportKind)],
  jobs: [runs(labMoved, sendMoved)],
  listens: [
    // With credentials of an app registration, and with the learners of the labs that were read.
    on(organisationsRemoved, async (tx, organisations) => {
      await tx.deleteFrom('lab_import').where('organisation_id', 'in', organisations).execute()
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    sealed: [{ table: 'lab_import', column: 'client_secret', key: 'id' }],
    personal: {
      imported_lab: withoutOwner('resource_key training_name', 'source applied moved_by'),
      lab_import: withoutOwner('kind tenant_id client_id', 'name made_by last_error', 'client_secret'),
    },
  },
})
