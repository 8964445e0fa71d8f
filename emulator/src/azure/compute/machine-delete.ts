import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf, resourceId } from '#src/azure/arm/ids.ts'
import { at, param, versions, type Operation } from '#src/azure/arm/operation.ts'
import { whereToLook } from '#src/azure/arm/polls.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { standingGroup } from '#src/azure/groups/standing-group.ts'
import { latencies } from '#src/azure/latencies.ts'
import { configurationsOf } from '#src/azure/network/network-interfaces.ts'
import { removeStanding } from '#src/azure/network/network-resource.ts'
import { machineType } from '#src/azure/compute/machine-view.ts'

export function machineDeleteOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'VirtualMachines_Delete',
      method: 'DELETE',
      path: at.item(machineType),
      versions: versions.compute,
      handle: (call) => {
        const group = standingGroup(cloud, call)
        const id = resourceId(param(call, 'subscription'), group.name, machineType, param(call, 'name'))
        const resource = cloud.resources.find(keyOf(id))
        if (resource === undefined) return { status: 204 }
        const atWork = cloud.operations.atWorkOn(resource.key)
        if (atWork !== undefined && resource.state === 'Deleting') {
          return { status: 202, headers: whereToLook(call, atWork) }
        }
        // A delete goes before everything else that is at work on the machine.
        cloud.operations.preempt(resource.key, call.now)
        cloud.resources.setState(resource.key, 'Deleting')
        cloud.machines.going(resource.uid, call.now)
        const operation = cloud.operations.begin(call, {
          namespace: 'Microsoft.Compute',
          location: resource.location,
          target: resource.key,
          uid: resource.uid,
          effect: 'machine.deleted',
          seconds: latencies.machineDelete,
        })
        return { status: 202, headers: whereToLook(call, operation) }
      },
    },
  ]
}

interface Option {
  deleteOption?: 'Delete' | 'Detach'
}

/** The machine goes, and with it what carries the delete option; the rest is left behind, on its own and billed. */
export function removeMachine(cloud: AzureCloud, machine: Resource, instant: number): void {
  const { storageProfile, networkProfile } = machine.doc.properties as {
    storageProfile: { osDisk: Option & Managed; dataDisks?: (Option & Managed)[] }
    networkProfile?: { networkInterfaces?: { id: string; properties?: Option }[] }
  }
  cloud.resources.remove(machine.key, instant)
  cloud.machines.gone(machine.uid, instant)
  cloud.accounts.forget(machine.uid)
  for (const disk of [storageProfile.osDisk, ...(storageProfile.dataDisks ?? [])]) {
    const diskId = disk.managedDisk?.id
    if (disk.deleteOption === 'Delete' && diskId !== undefined) cloud.resources.remove(keyOf(diskId), instant)
  }
  for (const { id, properties } of networkProfile?.networkInterfaces ?? []) {
    if (properties?.deleteOption === 'Delete') removeCard(cloud, id, instant)
  }
}

interface Managed {
  managedDisk?: { id?: string }
}

function removeCard(cloud: AzureCloud, id: string, instant: number): void {
  const card = cloud.resources.find(keyOf(id))
  if (card === undefined) return
  const addresses = configurationsOf(card).map(({ properties }) => properties.publicIPAddress)
  removeStanding(cloud, card.key, instant)
  for (const reference of addresses) {
    if (reference === undefined) continue
    const address = cloud.resources.find(keyOf(reference.id))
    if (address === undefined) continue
    const own = (address.doc.properties as Option).deleteOption
    if ((reference.properties?.deleteOption ?? own) === 'Delete') cloud.resources.remove(address.key, instant)
  }
}
