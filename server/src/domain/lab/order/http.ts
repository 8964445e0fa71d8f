import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { trainingInScope } from '../training/scope.ts'
import { lastOrderOf } from './last.ts'
import { orderMachines, type OrderParts } from './order.ts'
import { waitMinutes } from './wait.ts'

export function orderHandlers(parts: OrderParts): Pick<HandlersOf<'machine'>, 'order' | 'lastOrder'> {
  return {
    async order(tx, { actor, body }) {
      const { template, planned } = await orderMachines(tx, actor, body, parts)
      if (planned !== null) {
        const { inMinutes, earlier } = planned
        return { message: ALERTS.orderedFor(body.readyBy!.time, earlier), waitMinutes: inMinutes }
      }
      const minutes = await waitMinutes(tx, body.createVmCount, template)
      return { message: ALERTS.ordered(minutes), waitMinutes: minutes }
    },

    async lastOrder(db, { actor, query }) {
      const { id } = await trainingInScope(db, actor, query)
      return { lastOrder: await lastOrderOf(db, id) }
    },
  }
}
