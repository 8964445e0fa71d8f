import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { paths, versions, type Operation } from '../arm/operation.ts'
import { beginRemoval, findRemovalReply } from '../arm/removal.ts'
import type { Resource } from '../arm/resources.ts'
import { findResource } from '../groups/existing-resource.ts'
import { durationOf } from '../durations.ts'
import { configurationsOf } from '../network/network-interfaces.ts'
import { removeResource } from '../network/network-resource.ts'
import { reserveNetworkInterfaces } from './reserved-network-interfaces.ts'
import { machineType } from './machine-view.ts'

export function machineDeleteOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'VirtualMachines_Delete',
      method: 'DELETE',
      path: paths.item(machineType),
      versions: versions.compute,
      handle: (call) => {
        const resource = findResource(cloud, call, machineType)
        if (resource === undefined) return { status: 204 }
        const joined = findRemovalReply(cloud, call, resource)
        if (joined !== undefined) return joined
        // A delete replaces every other operation in progress on the machine.
        cloud.operations.preempt(resource.key, call.now)
        cloud.machines.markDeleting(resource.uid, call.now)
        const seconds = durationOf('machineDelete', resource.name)
        return beginRemoval(cloud, call, resource, { effect: 'machine.deleted', seconds })
      },
    },
  ]
}

interface Option {
  deleteOption?: 'Delete' | 'Detach'
}

/** Deletes the machine and the resources with the delete option. The other resources remain and are still billed. */
export function removeMachine(cloud: AzureCloud, machine: Resource, instant: number): void {
  const { storageProfile, networkProfile } = machine.doc.properties as {
    storageProfile: { osDisk: Option & Managed; dataDisks?: (Option & Managed)[] }
    networkProfile?: { networkInterfaces?: { id: string; properties?: Option }[] }
  }
  // A machine that never ran leaves its network interfaces reserved.
  const { power, power_before: before } = cloud.machines.get(machine.uid)
  const neverRan = power === null && before === null
  cloud.resources.remove(machine.key, instant)
  cloud.machines.markDeleted(machine.uid, instant)
  cloud.accounts.forget(machine.uid)
  for (const disk of [storageProfile.osDisk, ...(storageProfile.dataDisks ?? [])]) {
    const diskId = disk.managedDisk?.id
    if (disk.deleteOption === 'Delete' && diskId !== undefined) cloud.resources.remove(keyOf(diskId), instant)
  }
  for (const { id, properties } of networkProfile?.networkInterfaces ?? []) {
    if (properties?.deleteOption === 'Delete') removeNetworkInterface(cloud, id, instant)
    else if (neverRan) reserveNetworkInterfaces(cloud, machine.id, [id], instant)
  }
}

interface Managed {
  managedDisk?: { id?: string }
}

function removeNetworkInterface(cloud: AzureCloud, id: string, instant: number): void {
  const networkInterface = cloud.resources.find(keyOf(id))
  if (networkInterface === undefined) return
  const addresses = configurationsOf(networkInterface).map(({ properties }) => properties.publicIPAddress)
  removeResource(cloud, networkInterface.key, instant)
  for (const reference of addresses) {
    if (reference === undefined) continue
    const address = cloud.resources.find(keyOf(reference.id))
    if (address === undefined) continue
    const deleteOption = (address.doc.properties as Option).deleteOption
    if ((reference.properties?.deleteOption ?? deleteOption) === 'Delete') cloud.resources.remove(address.key, instant)
  }
}
