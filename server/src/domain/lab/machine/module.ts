import { machineEvents } from '@trainyard/contract/calls/machine-event.ts'
import { on } from '../../../core/events.ts'
import { usersRenamed } from '../../people/user/address.ts'
import { organisationRemoving } from '../../people/organisation/remove.ts'
import { requireNoMachines } from './live-machines.ts'
import { moveMachines } from './renamed-owner.ts'
import { serverModule, reconciles, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { imageHandlers } from '../image/http.ts'
import { machineCapture, captureImage } from '../image/jobs.ts'
import { MACHINE_GAUGES } from './gauges.ts'
import { machineHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { quotaHandlers } from './quota-http.ts'
import { machineKind } from './step.ts'
import { stopOverQuota, QUOTA_USED_UP } from './stop-over-quota.ts'
import { sweepIfDue } from './sweep.ts'
import { checkMachinesAnswer } from '../operation/answers.ts'
import { orderHandlers } from '../order/http.ts'
import { markReadyOrders } from '../order/mark-ready.ts'
import { orphanKind } from './orphan.ts'
import { MINUTE } from '../../../reconcile/task.ts'
import { recordCloudState } from '../../../worker/part-state.ts'
import type { AccessProbe } from '../../../providers/access-probe.ts'
import type { Gateways, Routes } from '../../../providers/machine-address.ts'
import { accessProbe } from '../../../providers/ssh/access-probe.ts'
import { instrumented } from '../../../telemetry/instrumented.ts'
import { type MachineChanges, followMachineChanges } from './watch.ts'

declare module '../../../core/module.ts' {
  interface CallDependencies {
    readonly changes: MachineChanges
    /** Ways in which the portal connects to machines. */
    readonly routes: Routes
    readonly gateways?: Gateways
  }
}
declare module '../../../worker/parts.ts' {
  interface WorkerDependencies {
    readonly routes: Routes
    readonly gateways?: Gateways
    /** IPv4 prefixes from which the portal connects to machines; omitted: unknown. */
    readonly egress?: readonly string[]
    /** Reads the SSH banner of machines; if omitted, the time at which a machine is ready is unknown. */
    readonly accessProbe?: AccessProbe
  }
}

/** The gateways are those of a later module. */
const routesOf = (proxy: string | null, parts: { readonly gateways?: Gateways }): Routes => ({
  proxy,
  get gateways() {
    return parts.gateways ?? null
  },
})

export default serverModule({
  name: 'machines',
  connectCalls({ config, secrets, onClose }, parts) {
    const changes = followMachineChanges({ connectionString: secrets.databaseUrl })
    onClose(() => changes.close())
    return { changes, routes: routesOf(config.remote.sshProxy, parts) }
  },
  async connectWorker({ config, meters }, parts) {
    const routes = routesOf(config.remote.sshProxy, parts)
    return { routes, egress: config.remote.egress, accessProbe: instrumented('ssh', accessProbe(routes), meters) }
  },
  calls: (parts) => ({
    machine: { ...machineHandlers(parts), ...orderHandlers(parts) },
    quota: quotaHandlers,
    image: imageHandlers(parts),
  }),
  tasks: ({ db, cloud, accessProbe }, pace) => [
    {
      name: 'stop machines without quota',
      every: MINUTE,
      on: 'each',
      wokenBy: 'machine',
      isDue: QUOTA_USED_UP,
      run: () => db.transaction().execute(async (tx) => void (await stopOverQuota(tx))),
    },
    {
      name: 'compare machines with the provider',
      every: pace.sweepBusy,
      on: 'one',
      limit: 50,
      run: (signal) => recordCloudState(db, () => sweepIfDue(db, cloud, pace.sweepIdle, signal)),
    },
    { name: 'mark orders as ready', every: 5, on: 'one', run: () => markReadyOrders(db) },
    ...(accessProbe
      ? [
          {
            name: 'check machine access',
            every: 2,
            on: 'one' as const,
            limit: 30,
            run: (signal: AbortSignal) => checkMachinesAnswer(db, accessProbe, signal),
          },
        ]
      : []),
  ],
  kinds: [reconciles('machine', machineKind), reconciles('orphan', orphanKind)],
  jobs: [runs(machineCapture, captureImage)],
  publishes: machineEvents,
  tables: {
    sql: new URL('../../../db/tables/machines.sql', import.meta.url),
    personal: {
      image: withoutOwner('image_id', 'asked_by failed last_error'),
      machine: {
        owner: { address: 'email' },
        title: 'Machines',
        erase: 'keep',
        mentions: 'name email ordered_for ended last_error stop_reason',
        formerOwner: 'ordered_for',
        secrets: 'admin_password host_key desktop_certificate',
        other: `resource_group location vnet vm_size image_id os licence plan_publisher plan_product plan_version
          admin_username desired observed public_ip command azure_tags disk_sku disk_encryption_set address_kind`,
      },
      machine_order: withoutOwner('template_name', 'ordered_by'),
      operation: withoutOwner('kind vm_size location', 'reason'),
      orphan: withoutOwner('resource_group', 'name tag deletion_asked_by last_error'),
      whole_sweep: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
  listens: [on(usersRenamed, moveMachines), on(organisationRemoving, requireNoMachines)],
  gauges: MACHINE_GAUGES,
})
