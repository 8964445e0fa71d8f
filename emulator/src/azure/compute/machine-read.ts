import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { at, versions, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { listOf } from '#src/azure/arm/paging.ts'
import { readBody, tags } from '#src/azure/arm/read-body.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { openGroup, standingGroup } from '#src/azure/groups/standing-group.ts'
import { standing } from '#src/azure/groups/standing-resource.ts'
import { instanceView, machineType, machineView } from '#src/azure/compute/machine-view.ts'

export function machineReadOperations(cloud: AzureCloud): Operation[] {
  const common = { path: at.item(machineType), versions: versions.compute }
  const listed = (call: Call) => {
    const expand = call.query.$expand?.toLowerCase() === 'instanceview'
    const look = call.query.statusOnly === 'true' ? 'power only' : expand ? 'with power' : 'model'
    return listOf(cloud, call, machineType, (resource: Resource) =>
      machineView(resource, cloud.machines.get(resource.uid), look),
    )
  }
  return [
    {
      ...common,
      name: 'VirtualMachines_Get',
      method: 'GET',
      handle: (call) => {
        const resource = standing(cloud, call, machineType)
        const look = call.query.$expand?.toLowerCase() === 'instanceview' ? 'with power' : 'model'
        return { status: 200, body: machineView(resource, cloud.machines.get(resource.uid), look) }
      },
    },
    {
      ...common,
      name: 'VirtualMachines_InstanceView',
      path: `${at.item(machineType)}/instanceView`,
      method: 'GET',
      handle: (call) => {
        const resource = standing(cloud, call, machineType)
        return { status: 200, body: instanceView(resource, cloud.machines.get(resource.uid)) }
      },
    },
    {
      ...common,
      name: 'VirtualMachines_Update',
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        openGroup(cloud, call)
        const resource = standing(cloud, call, machineType)
        const changed = body.tags === undefined ? resource : cloud.resources.change(resource.key, { tags: body.tags })
        cloud.machines.setTags(resource.uid, changed.tags)
        return { status: 200, body: machineView(changed, cloud.machines.get(resource.uid), 'model') }
      },
    },
    {
      ...common,
      name: 'VirtualMachines_List',
      path: at.list(machineType),
      method: 'GET',
      handle: (call) => {
        standingGroup(cloud, call)
        return listed(call)
      },
    },
    {
      ...common,
      name: 'VirtualMachines_ListAll',
      path: at.all(machineType),
      method: 'GET',
      handle: listed,
    },
  ]
}
