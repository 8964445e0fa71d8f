import type { Disk, VirtualMachine, VirtualMachineInstanceView } from '@azure/arm-compute'
import type { GenericResourceExpanded } from '@azure/arm-resources'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { SandboxRef, SandboxResource } from './sandbox-groups.ts'
import { isDeallocated, type AzureMachineStatus, machineState } from '@trainyard/azure/server/machine-state.ts'
import { callOrNull } from '@trainyard/azure/server/calls.ts'
import { listAll } from '@trainyard/azure/server/list-all.ts'
import { isNotFound } from '@trainyard/azure/server/errors.ts'
import type { SandboxClients } from './clients.ts'

const MACHINE = 'microsoft.compute/virtualmachines'
const DISK = 'microsoft.compute/disks'
const ADDRESS = 'microsoft.network/publicipaddresses'

export async function listResources(
  { resources, compute }: SandboxClients,
  { group }: SandboxRef,
  signal: AbortSignal,
): Promise<readonly SandboxResource[] | null> {
  try {
    const all = await listAll<GenericResourceExpanded>(`list the resources in ${group}`, signal, (each) =>
      resources.resources.listByResourceGroup(group, { ...each, expand: 'createdTime' }),
    )
    const types = new Set(all.map(typeOf))
    const machines = types.has(MACHINE)
      ? await listAll<VirtualMachine>(`list the machines in ${group}`, signal, (each) =>
          compute.virtualMachines.list(group, each),
        )
      : []
    const existing = await Promise.all(machines.map((machine) => withPower(compute, group, machine, signal)))
    const disks = types.has(DISK)
      ? await listAll<Disk>(`list the disks in ${group}`, signal, (each) =>
          compute.disks.listByResourceGroup(group, each),
        )
      : []
    const rest = all.filter((resource) => ![MACHINE, DISK].includes(typeOf(resource)))
    return [...existing.flat(), ...disks.map(diskOf), ...rest.map(restOf)]
  } catch (problem) {
    if (isNotFound(problem)) return null
    throw problem
  }
}

const typeOf = (resource: GenericResourceExpanded): string => resource.type?.toLowerCase() ?? ''

async function withPower(
  compute: SandboxClients['compute'],
  group: string,
  machine: VirtualMachine,
  signal: AbortSignal,
): Promise<SandboxResource[]> {
  const name = machine.name ?? ''
  try {
    const { body } = await callOrNull(`read the machine ${name}`, signal, (each) =>
      compute.virtualMachines.instanceView(group, name, each),
    )
    return body === null ? [] : [machineOf(machine, body)]
  } catch (problem) {
    // Refusals are collected, because a single unreadable machine must not prevent metering or stopping the others.
    const refused = problem instanceof CloudError && ['refused', 'unauthorised'].includes(problem.kind)
    if (!refused) throw problem
    return [machineOf(machine, null)]
  }
}

function machineOf(machine: VirtualMachine, instanceView: VirtualMachineInstanceView | null): SandboxResource {
  return {
    kind: 'machine',
    name: machine.name ?? '',
    size: machine.hardwareProfile?.vmSize ?? '',
    billed: instanceView === null ? null : isBilled({ ...machine, instanceView }),
    since: machine.timeCreated ?? null,
  }
}

function isBilled(machine: AzureMachineStatus): boolean {
  if (isDeallocated(machine)) return false
  // A machine in transition counts as billed, so that no usage goes unnoticed.
  const { state } = machineState(machine)
  return state !== 'stopped' && state !== 'absent' && state !== 'failed'
}

function diskOf(disk: Disk): SandboxResource {
  const { name = '', sku, diskSizeGB = null, timeCreated = null } = disk
  return { kind: 'disk', name, sku: sku?.name ?? '', sizeGb: diskSizeGB, since: timeCreated }
}

function restOf(resource: GenericResourceExpanded): SandboxResource {
  const named = { name: resource.name ?? '', since: resource.createdTime ?? null }
  return typeOf(resource) === ADDRESS
    ? { kind: 'address', ...named }
    : { kind: 'other', type: resource.type ?? '', ...named }
}
