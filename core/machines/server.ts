import { machineEvents } from './contract/machine-event.ts'
import { answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { usersRenamed } from '@trainyard/users/server/address.ts'
import { organisationRemoving } from '@trainyard/organisations/server/remove.ts'
import { requireNoMachines } from './server/live-machines.ts'
import { lastClassEnd } from '@trainyard/users/server/invitation-state.ts'
import { lastTrainingEnd } from './server/queries.ts'
import { moveMachines } from './server/renamed-owner.ts'
import { serverModule, reconciles, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { imageHandlers } from './server/image/http.ts'
import { machineCapture, captureImage } from './server/image/jobs.ts'
import { MACHINE_GAUGES } from './server/gauges.ts'
import { machineHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { quotaHandlers } from './server/quota-http.ts'
import { machineKind } from './server/step.ts'
import { isStopDue, stopMachines } from './server/may-start.ts'
import { stopOverQuota, QUOTA_USED_UP } from './server/stop-over-quota.ts'
import { sweepIfDue } from './server/sweep.ts'
import { checkMachinesAnswer } from './server/operation/answers.ts'
import { orderHandlers } from './server/order/http.ts'
import { markReadyOrders } from './server/order/mark-ready.ts'
import { orphanKind } from './server/orphan.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import { recordCloudState } from '@trainyard/platform/server/run/part-state.ts'
import type { AccessProbe } from './server/ssh/probe.ts'
import type { Gateways, Routes } from '@trainyard/templates/server/machine-address.ts'
import { accessProbe } from './server/ssh/access-probe.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'
import { type MachineChanges, followMachineChanges } from './server/watch.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly changes: MachineChanges
    /** Ways in which the portal connects to machines. */
    readonly routes: Routes
    readonly gateways?: Gateways
    /** URL at which other processes of the portal reach this one; null: the address of HOST. */
    readonly peerUrl: string | null
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
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
    const { sshProxy, peerUrl } = config.remote
    return { changes, routes: routesOf(sshProxy, parts), peerUrl }
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
  tasks: ({ db, clouds, accessProbe }, pace) => [
    {
      name: 'stop machines without quota',
      every: MINUTE,
      on: 'each',
      wokenBy: 'machine',
      isDue: QUOTA_USED_UP,
      run: () => db.transaction().execute(async (tx) => void (await stopOverQuota(tx))),
    },
    {
      name: 'stop machines that must be off',
      every: MINUTE,
      on: 'each',
      isDue: isStopDue(),
      run: () => db.transaction().execute(async (tx) => void (await stopMachines(tx))),
    },
    {
      name: 'compare machines with the provider',
      every: pace.sweepBusy,
      on: 'one',
      limit: 50,
      run: (signal) => recordCloudState(db, () => sweepIfDue(db, clouds, pace.sweepIdle, signal)),
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
    sql: new URL('tables.sql', import.meta.url),
    sealed: [{ table: 'machine', column: 'admin_password', key: 'id' }],
    personal: {
      image: withoutOwner('image_id', 'asked_by failed last_error'),
      machine: {
        owner: { address: 'email' },
        title: 'Machines',
        erase: 'keep',
        mentions: 'name email ordered_for ended last_error stop_reason',
        formerOwner: 'ordered_for',
        secrets: 'admin_password host_key desktop_certificate',
        other: `provider place size image place_group location size_name image_id os licence admin_username desired
          observed public_ip command azure_tags address_kind`,
      },
      machine_order: withoutOwner('template_name', 'ordered_by'),
      operation: withoutOwner('kind size_name location', 'reason'),
      orphan: withoutOwner('provider place_group', 'name tag deletion_asked_by last_error'),
      whole_sweep: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
  listens: [on(usersRenamed, moveMachines), on(organisationRemoving, requireNoMachines)],
  sqlAnswers: [answerSql(lastClassEnd, lastTrainingEnd)],
  gauges: MACHINE_GAUGES,
})
