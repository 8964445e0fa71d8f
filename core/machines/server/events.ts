import type {
  MachineId,
  OrganisationId,
  OrderId,
  TemplateId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import { event } from '@trainyard/platform/server/core/events.ts'

interface OrderedMachines {
  readonly organisation: OrganisationId
  readonly training: TrainingId
  readonly order: OrderId
  readonly template: TemplateId
  readonly machines: readonly MachineId[]
}

export const machinesOrdered = event<OrderedMachines>('machines.ordered')

/** The users of a machine may no longer have access. */
export const accessEnded = event<MachineId>('machines.accessEnded')

/** All machines of a training will be deleted. */
export const machinesDeleted = event<TrainingId>('machines.deleted')

/** Machines of a training no longer exist at the provider. */
export const machinesTerminated = event<TrainingId>('machines.terminated')
