import type { AzureCloud } from '#src/azure/cloud.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { whereToLook } from '#src/azure/arm/polls.ts'
import { concurrentRequest, Refusal } from '#src/azure/arm/refusal.ts'
import { existingResource } from '#src/azure/groups/existing-resource.ts'
import { durationOf, type Work } from '#src/azure/durations.ts'
import { machineType } from '#src/azure/compute/machine-view.ts'
import type { Machine, Power } from '#src/azure/compute/machines.ts'

interface Command {
  readonly verb: 'start' | 'powerOff' | 'deallocate' | 'restart'
  readonly name: string
  readonly takes: Work
  /** Power from the moment the command is taken; null leaves it as it is. */
  readonly onTheWay: Power | null
  /** Powers in which there is nothing left to do. */
  readonly done: readonly Power[]
  /** Powers from which the command is refused. */
  readonly refused: readonly Power[]
  /** Commands at work that this one takes over from. */
  readonly preempts: readonly string[]
}

const commands: readonly Command[] = [
  {
    verb: 'start',
    name: 'VirtualMachines_Start',
    takes: 'machineStart',
    onTheWay: 'starting',
    done: ['running'],
    refused: [],
    preempts: [],
  },
  {
    verb: 'powerOff',
    name: 'VirtualMachines_PowerOff',
    takes: 'machineStop',
    onTheWay: 'stopping',
    done: ['stopped'],
    refused: ['deallocated'],
    preempts: ['VirtualMachines_Start', 'VirtualMachines_Restart'],
  },
  {
    verb: 'deallocate',
    name: 'VirtualMachines_Deallocate',
    takes: 'machineDeallocate',
    onTheWay: 'deallocating',
    done: ['deallocated'],
    refused: [],
    preempts: ['VirtualMachines_Start', 'VirtualMachines_Restart', 'VirtualMachines_PowerOff'],
  },
  {
    verb: 'restart',
    name: 'VirtualMachines_Restart',
    takes: 'machineRestart',
    onTheWay: null,
    done: [],
    refused: ['deallocated', 'stopped'],
    preempts: [],
  },
]

export function machinePowerOperations(cloud: AzureCloud): Operation[] {
  return commands.map((command) => ({
    name: command.name,
    method: 'POST',
    path: `${at.item(machineType)}/${command.verb}`,
    versions: versions.compute,
    handle: (call) => carryOut(cloud, call, command),
  }))
}

function carryOut(cloud: AzureCloud, call: Call, command: Command): Answer {
  const resource = existingResource(cloud, call, machineType)
  const machine = cloud.machines.get(resource.uid)
  const atWork = cloud.operations.atWorkOn(resource.key)
  if (resource.state === 'Deleting') throw concurrentRequest()
  if (atWork !== undefined) {
    if (atWork.name === command.name) return { status: 202, headers: whereToLook(cloud, call, atWork) }
    if (!command.preempts.includes(atWork.name)) throw concurrentRequest()
    cloud.operations.preempt(resource.key, call.now)
  }
  refuseImpossible(call, machine, command)
  const nothingToDo = machine.power !== null && command.done.includes(machine.power)
  if (!nothingToDo && command.onTheWay !== null) cloud.machines.power(machine.uid, command.onTheWay, call.now)
  cloud.resources.setState(resource.key, 'Updating')
  cloud.machines.changed(machine.uid, call.now, null)
  const operation = cloud.operations.begin(call, resource, {
    effect: nothingToDo ? 'machine.updated' : `machine.${command.verb}`,
    seconds: nothingToDo ? 0 : durationOf(command.takes, resource.name),
  })
  return { status: 202, headers: whereToLook(cloud, call, operation) }
}

function refuseImpossible(call: Call, machine: Machine, command: Command): void {
  if (machine.power === null) {
    throw new Refusal(
      409,
      'OperationNotAllowed',
      `Operation '${command.verb}' is not allowed on VM '${param(call, 'name')}' since the VM has failed to provision.`,
    )
  }
  if (!command.refused.includes(machine.power)) return
  throw new Refusal(
    409,
    'OperationNotAllowed',
    `Operation '${command.verb}' is not allowed on VM '${param(call, 'name')}' since the VM is either deallocated or stopped, or marked to be deallocated.`,
  )
}
