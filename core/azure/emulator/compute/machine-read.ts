import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { paths, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { listOf } from '../arm/paging.ts'
import { readBody, tags } from '../arm/read-body.ts'
import { listedId } from '../arm/ids.ts'
import { concurrentRequest, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { requireGroupNotDeleting, requireGroup } from '../groups/existing-group.ts'
import { requireResource } from '../groups/existing-resource.ts'
import { extensionType } from './extensions.ts'
import { beginUpdate } from './machine-update.ts'
import { instanceView, machineType, machineView, statusView } from './machine-view.ts'

export function machineReadOperations(cloud: AzureCloud): Operation[] {
  const common = { path: paths.item(machineType), versions: versions.compute }
  return [
    {
      ...common,
      name: 'VirtualMachines_Get',
      method: 'GET',
      handle: (call) => {
        const resource = requireResource(cloud, call, machineType)
        const viewKind = call.query.$expand?.toLowerCase() === 'instanceview' ? 'with power' : 'model'
        return { status: 200, body: machineView(resource, cloud.machines.get(resource.uid), viewKind) }
      },
    },
    {
      ...common,
      name: 'VirtualMachines_InstanceView',
      path: `${paths.item(machineType)}/instanceView`,
      method: 'GET',
      handle: (call) => {
        const resource = requireResource(cloud, call, machineType)
        return { status: 200, body: instanceView(resource, cloud.machines.get(resource.uid)) }
      },
    },
    {
      ...common,
      name: 'VirtualMachines_Update',
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        requireGroupNotDeleting(cloud, call)
        const resource = requireResource(cloud, call, machineType)
        if (cloud.operations.findInProgress(resource.key) !== undefined) throw concurrentRequest()
        const changed = body.tags === undefined ? resource : cloud.resources.change(resource.key, { tags: body.tags })
        cloud.machines.setTags(resource.uid, changed.tags)
        return beginUpdate(cloud, call, changed)
      },
    },
    {
      ...common,
      name: 'VirtualMachines_List',
      path: paths.list(machineType),
      method: 'GET',
      handle: (call) => {
        requireGroup(cloud, call)
        return listed(cloud, call, modelIn(cloud))
      },
    },
    {
      ...common,
      name: 'VirtualMachines_ListAll',
      path: paths.all(machineType),
      method: 'GET',
      handle: (call) => listed(cloud, call, call.query.statusOnly === 'true' ? statusIn(cloud, call) : modelIn(cloud)),
    },
  ]
}

/** The emulator has no scale sets, so a filter by one finds nothing. Azure has no other filter here. */
function listed(cloud: AzureCloud, call: Call, view: (machine: Resource) => unknown): Answer {
  const { $filter, $expand } = call.query
  const ofScaleSet = $filter !== undefined && /^'virtualMachineScaleSet\/id'\s+eq\s+'[^']+'$/i.test($filter.trim())
  // The message is quoted in semicons/java_oci_manage#46, the rule in azure-rest-api-specs#42411.
  if ($expand?.toLowerCase() === 'instanceview' && !ofScaleSet) {
    throw new Refusal(
      400,
      'BadRequest',
      'Expand Instance View is only supported when Virtual Machine Scale Set resource filter is applied',
    )
  }
  if ($filter === undefined || $filter === '') return listOf(cloud, call, machineType, view)
  if (ofScaleSet) return { status: 200, body: { value: [] } }
  throw new Refusal(400, 'BadRequest', `The filter '${$filter}' is not supported.`)
}

const modelIn =
  (cloud: AzureCloud) =>
  (resource: Resource): unknown => {
    const extensions = cloud.resources.parts(resource.key).filter(({ type }) => type === extensionType)
    return {
      ...machineView(resource, cloud.machines.get(resource.uid), 'model'),
      id: listedId(resource.id),
      ...(extensions.length === 0 ? {} : { resources: extensions.map(({ id }) => ({ id: listedId(id) })) }),
    }
  }

const statusIn =
  (cloud: AzureCloud, { faultKind }: Call) =>
  (resource: Resource): unknown =>
    statusView(resource, cloud.machines.get(resource.uid), faultKind === 'hidePower')
