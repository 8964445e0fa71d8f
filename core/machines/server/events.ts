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

interface ReplacedMachine {
  readonly training: TrainingId
  readonly machine: MachineId
}

/** A machine is about to be replaced. Listeners lock their rows that others lock before a user. */
export const machineReplacing = event<ReplacedMachine>('machines.replacing')

/** Its learner is locked. Listeners lock their rows that others lock between a user and a machine. */
export const learnerLocked = event<ReplacedMachine>('machines.learnerLocked')

/** A learner got another machine for one that is deleted. Rows that refer to the learner's seat must refer to `to`. */
export const machineReplaced = event<{ readonly from: MachineId; readonly to: MachineId }>('machines.replaced')

/** All machines of a training will be deleted. */
export const machinesDeleted = event<TrainingId>('machines.deleted')

/** Machines of a training no longer exist at the provider. */
export const machinesTerminated = event<TrainingId>('machines.terminated')
