import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { guardedFetch } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { DAY, MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import { storeDayTotals } from './server/day-totals.ts'
import { homeHandlers } from './server/http.ts'
import { checkForUpdate } from './server/update-notice.ts'

declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    /** Undefined without UPDATE_URL. */
    readonly checkForUpdate?: () => Promise<void>
  }
}

export default serverModule({
  name: 'home',
  calls: () => ({ home: homeHandlers }),
  async connectWorker({ config, secrets, db }) {
    const { updateUrl } = config
    if (updateUrl === null) return {}
    const fetchGuarded = guardedFetch({ emulator: null, privateHosts: [], egress: secrets.egressProxy })
    return { checkForUpdate: () => checkForUpdate(db, updateUrl, fetchGuarded) }
  },
  tasks: ({ db, checkForUpdate: check }) => [
    { name: 'store daily totals', every: 10 * MINUTE, on: 'one', run: () => storeDayTotals(db) },
    ...(check ? [{ name: 'check for a newer version', every: DAY, on: 'one' as const, run: check }] : []),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: { update_notice: withoutOwner('version url') },
  },
})
