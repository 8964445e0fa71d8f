import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { machineHandlers, type MachineParts } from '../machine/http.ts'
import { orderMachines, type OrderParts } from './order.ts'
import { waitMinutes } from './wait.ts'

/** Every machine call. */
export function machineCalls(parts: MachineParts & OrderParts): HandlersOf<'machine'> {
  return {
    ...machineHandlers(parts),

    async order(tx, { actor, body }) {
      const minutes = await waitMinutes(tx, body.createVmCount)
      await orderMachines(tx, actor, body, parts)
      return { message: ALERTS.ordered(minutes), waitMinutes: minutes }
    },
  }
}
