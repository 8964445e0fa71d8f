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

export default serverModule({
  name: 'machines',
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
  tables: {
    personal: {
      image: withoutOwner('image_id', 'asked_by failed last_error'),
      machine: {
        owner: { address: 'email' },
        title: 'Machines',
        erase: 'keep',
        mentions: 'name email ordered_for ended last_error stop_reason',
        formerOwner: 'ordered_for',
        secrets: 'admin_password host_key desktop_certificate',
        other: `resource_group location vnet address_kind vm_size image_id os licence plan_publisher plan_product plan_version
          admin_username desired observed public_ip command azure_tags disk_sku disk_encryption_set`,
      },
      machine_order: withoutOwner('template_name', 'ordered_by'),
      operation: withoutOwner('kind vm_size location', 'reason'),
      orphan: withoutOwner('resource_group', 'name tag deletion_asked_by last_error'),
      whole_sweep: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
  gauges: MACHINE_GAUGES,
})
