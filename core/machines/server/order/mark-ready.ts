import type { machineEvents } from '../../contract/machine-event.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { noticed, publish } from '@trainyard/users/server/notices.ts'
import { updateReadyOrders } from './queries.ts'

/** Records when all machines of an order have been created. */
export async function markReadyOrders(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await updateReadyOrders(tx)
    await publish<typeof machineEvents>(
      tx,
      rows.map(({ id, organisation, training, template, machines }) => ({
        organisation,
        type: 'order.ready' as const,
        resource: `order:${id}`,
        training,
        data: { order: { id }, template, machines },
      })),
    )
    await emit(
      tx,
      noticed,
      rows.map(({ organisation, training, template, machines }) => ({
        audience: 'class' as const,
        organisation,
        training,
        about: null,
        kind: 'order.ready' as const,
        routine: true as const,
        text:
          machines === 1
            ? `The machine ordered from ${template} has been created.`
            : `The ${machines} machines ordered from ${template} have been created.`,
        link: '/vm/vmdetails' as const,
      })),
    )
  })
}
