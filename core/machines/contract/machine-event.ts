import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'

const machineData = {
  ...common,
  machine: reference,
  training: reference,
  /** E-mail address of the learner. */
  learner: z.string(),
}

const orderData = {
  ...common,
  order: z.strictObject({ id: z.uuid() }),
  training: reference,
  template: z.string(),
  machines: z.int(),
}

export const machineEvents = {
  'machine.created': published('A machine was created at the provider', z.strictObject(machineData)),
  'machine.started': published('A machine runs', z.strictObject(machineData)),
  'machine.stopped': published('A machine was stopped', z.strictObject(machineData)),
  'machine.failed': published(
    'A machine cannot be brought to its desired state',
    z.strictObject({ ...machineData, reason: z.string() }),
  ),
  'machine.assigned': published(
    'A machine was handed over to another learner',
    z.strictObject({ ...machineData, formerLearner: z.string() }),
  ),
  'machine.deleted': published('A machine was deleted', z.strictObject(machineData)),
  'order.created': published('Machines were ordered', z.strictObject({ ...orderData, orderedBy: z.string() })),
  'order.ready': published('All machines of an order have been created', z.strictObject(orderData)),
}
