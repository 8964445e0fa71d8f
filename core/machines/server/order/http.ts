import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { orderMachines, type OrderDependencies } from './order.ts'
import { waitMinutes } from './wait.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine } from '../../contract/machine.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

export function orderHandlers(parts: OrderDependencies): Pick<HandlersOf<'machine'>, 'order' | 'lastOrder'> {
  return {
    async order(tx, { actor, body }) {
      const { template, created, planned } = await orderMachines(tx, actor, body, parts)
      if (planned !== null) {
        const { inMinutes, earlier } = planned
        return { message: ALERTS.orderedFor(body.readyBy!, earlier), waitMinutes: inMinutes }
      }
      const minutes = created === 0 ? 1 : await waitMinutes(tx, created, template)
      return { message: ALERTS.ordered(minutes), waitMinutes: minutes }
    },

    async lastOrder(db, { actor, query }) {
      const { id } = await trainingInScope(db, actor, query)
      return { lastOrder: await lastOrderOf(db, id) }
    },
  }
}

async function lastOrderOf(db: Db, training: TrainingId): Promise<ReplyOf<typeof machine.lastOrder>['lastOrder']> {
  const row = await db
    .selectFrom('machine_order as o')
    .innerJoin('machine as m', 'm.order_id', 'o.id')
    .select(['o.template_name', 'o.allotted_minutes', 'm.guacamole'])
    .where('o.training_id', '=', training)
    .where('m.spare', '=', false)
    .orderBy('o.created_at', 'desc')
    .orderBy('m.number')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return { templateName: row.template_name, allocatedHours: row.allotted_minutes, guacamole: row.guacamole }
}
