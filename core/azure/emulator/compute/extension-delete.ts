import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Effect } from '../arm/long-operations.ts'
import { paths, param, versions, type Call, type Operation } from '../arm/operation.ts'
import { pollHeaders } from '../arm/polls.ts'
import { beginRemoval } from '../arm/removal.ts'
import { concurrentRequest, Refusal } from '../arm/refusal.ts'
import { extensionType } from './extensions.ts'
import { machineType } from './machine-view.ts'
import { durationOf } from '../durations.ts'
import { requireResource } from '../groups/existing-resource.ts'

/** Changes that the extension made inside the machine remain. */
export function extensionDeleteOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'VirtualMachineExtensions_Delete',
      method: 'DELETE',
      path: paths.child(machineType, 'extensions'),
      versions: versions.compute,
      handle: (call) => {
        const machine = requireResource(cloud, call, machineType)
        const extension = cloud.resources.find(keyOf(`${machine.id}/extensions/${param(call, 'child')}`))
        if (extension === undefined) return { status: 204 }
        const inProgress = cloud.operations.findInProgress(machine.key)
        if (inProgress?.uid === extension.uid) return { status: 202, headers: pollHeaders(cloud, call, inProgress) }
        if (inProgress !== undefined) throw concurrentRequest()
        refuseUnlessRunning(cloud, machine.uid)
        return begin(cloud, call, machine.key, extension.key)
      },
    },
  ]
}

function refuseUnlessRunning(cloud: AzureCloud, uid: string): void {
  if (cloud.machines.get(uid).power === 'running') return
  throw new Refusal(409, 'OperationNotAllowed', 'Cannot modify extensions in the VM when the VM is not running.')
}

function begin(cloud: AzureCloud, call: Call, machine: string, extension: string) {
  const seconds = durationOf('extension', param(call, 'name'))
  const plan = { effect: 'machine.unextended', seconds, target: machine }
  return beginRemoval(cloud, call, cloud.resources.get(extension), plan)
}

export function extensionDeleteEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'machine.unextended': ({ target, uid }, instant, failure) => {
      const deletedExtension = cloud.resources
        .parts(target)
        .find((part) => part.type === extensionType && part.uid === uid)
      if (deletedExtension === undefined) return
      if (failure === null) cloud.resources.remove(deletedExtension.key, instant)
      else cloud.resources.setState(deletedExtension.key, 'Failed')
    },
  }
}
