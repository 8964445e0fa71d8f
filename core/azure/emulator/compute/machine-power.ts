import type { AzureCloud } from '../cloud.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { pollHeaders } from '../arm/polls.ts'
import { concurrentRequest, Refusal } from '../arm/refusal.ts'
import { requireResource } from '../groups/existing-resource.ts'
import { durationOf, type DurationKind } from '../durations.ts'
import { machineType } from './machine-view.ts'
import type { Machine, Power } from './machines.ts'

interface Command {
  readonly verb: 'start' | 'powerOff' | 'deallocate' | 'restart'
  readonly name: string
  readonly duration: DurationKind
  readonly powerDuring: Power | null
  readonly donePowers: readonly Power[]
  readonly refusedPowers: readonly Power[]
  readonly preempts: readonly string[]
}

const commands: readonly Command[] = [
  {
    verb: 'start',
    name: 'VirtualMachines_Start',
    duration: 'machineStart',
    powerDuring: 'starting',
    donePowers: ['running'],
    refusedPowers: [],
    preempts: [],
  },
  {
    verb: 'powerOff',
    name: 'VirtualMachines_PowerOff',
    duration: 'machineStop',
    powerDuring: 'stopping',
    donePowers: ['stopped'],
    refusedPowers: ['deallocated'],
    preempts: ['VirtualMachines_Start', 'VirtualMachines_Restart'],
  },
  {
    verb: 'deallocate',
    name: 'VirtualMachines_Deallocate',
    duration: 'machineDeallocate',
    powerDuring: 'deallocating',
    donePowers: ['deallocated'],
    refusedPowers: [],
    preempts: ['VirtualMachines_Start', 'VirtualMachines_Restart', 'VirtualMachines_PowerOff'],
  },
  {
    verb: 'restart',
    name: 'VirtualMachines_Restart',
    duration: 'machineRestart',
    powerDuring: null,
    donePowers: [],
    refusedPowers: ['deallocated', 'stopped'],
    preempts: [],
  },
]

export function machinePowerOperations(cloud: AzureCloud): Operation[] {
  return commands.map((command) => ({
    name: command.name,
    method: 'POST',
    path: `${paths.item(machineType)}/${command.verb}`,
    versions: versions.compute,
    handle: (call) => runCommand(cloud, call, command),
  }))
}

function runCommand(cloud: AzureCloud, call: Call, command: Command): Answer {
  const resource = requireResource(cloud, call, machineType)
  const machine = cloud.machines.get(resource.uid)
  const inProgress = cloud.operations.findInProgress(resource.key)
  if (resource.state === 'Deleting') throw concurrentRequest()
  if (inProgress !== undefined) {
    if (inProgress.name === command.name) return { status: 202, headers: pollHeaders(cloud, call, inProgress) }
    if (!command.preempts.includes(inProgress.name)) throw concurrentRequest()
    cloud.operations.preempt(resource.key, call.now)
  }
  refuseImpossible(call, machine, command)
  const isDone = machine.power !== null && command.donePowers.includes(machine.power)
  if (!isDone && command.powerDuring !== null) cloud.machines.setPower(machine.uid, command.powerDuring, call.now)
  cloud.resources.setState(resource.key, 'Updating')
  cloud.machines.recordProvisioning(machine.uid, call.now, null)
  const operation = cloud.operations.begin(call, resource, {
    effect: isDone ? 'machine.updated' : `machine.${command.verb}`,
    seconds: isDone ? 0 : durationOf(command.duration, resource.name),
  })
  return { status: 202, headers: pollHeaders(cloud, call, operation) }
}

function refuseImpossible(call: Call, machine: Machine, command: Command): void {
  if (machine.power === null) {
    throw new Refusal(
      409,
      'OperationNotAllowed',
      `Operation '${command.verb}' is not allowed on VM '${param(call, 'name')}' since the VM has failed to provision.`,
    )
  }
  if (!command.refusedPowers.includes(machine.power)) return
  throw new Refusal(
    409,
    'OperationNotAllowed',
    `Operation '${command.verb}' is not allowed on VM '${param(call, 'name')}' since the VM is either deallocated or stopped, or marked to be deallocated.`,
  )
}
