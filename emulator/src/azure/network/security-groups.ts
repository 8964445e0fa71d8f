import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { placeNamed, refuseMove } from '#src/azure/arm/locations.ts'
import { at, param, versions, type Operation } from '#src/azure/arm/operation.ts'
import { envelope, readBody, without } from '#src/azure/arm/read-body.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { openGroup } from '#src/azure/groups/existing-group.ts'
import { idIn } from '#src/azure/groups/existing-resource.ts'
import { defaultRules } from '#src/azure/network/default-rules.ts'
import {
  etag,
  refuseBadName,
  refuseWhileAtWork,
  top,
  usualOperations,
  written,
  type NetworkKind,
} from '#src/azure/network/network-resource.ts'
import { securityGroupType, putRule, ruleShape, ruleView } from '#src/azure/network/security-rules.ts'
import { networkRefusal } from '#src/azure/network/network-refusal.ts'

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ securityRules: z.array(ruleShape).optional() }).optional(),
})

export function securityGroupKind(cloud: AzureCloud): NetworkKind {
  const usersOf = (securityGroup: Resource): string[] =>
    cloud.resources.linksTo(securityGroup.key, 'securityGroup').map(({ via }) => via)
  const isSubnet = (id: string): boolean => /\/subnets\//i.test(id)
  return {
    type: securityGroupType,
    operations: 'NetworkSecurityGroups',
    view: (securityGroup) => {
      const users = usersOf(securityGroup)
      const networkInterfaces = users.filter((id) => !isSubnet(id))
      const subnets = users.filter(isSubnet)
      return {
        ...top(securityGroup),
        properties: {
          ...securityGroup.doc,
          resourceGuid: securityGroup.uid,
          provisioningState: securityGroup.state,
          securityRules: cloud.resources.parts(securityGroup.key).map(ruleView),
          defaultSecurityRules: defaultRules(securityGroup.id, etag(securityGroup)),
          ...(networkInterfaces.length === 0 ? {} : { networkInterfaces: networkInterfaces.map((id) => ({ id })) }),
          ...(subnets.length === 0 ? {} : { subnets: subnets.map((id) => ({ id })) }),
        },
      }
    },
    refuseRemoval: (securityGroup) => {
      const users = usersOf(securityGroup)
      if (users.length === 0) return
      throw networkRefusal(
        400,
        'InUseNetworkSecurityGroupCannotBeDeleted',
        `Network security group ${securityGroup.id} cannot be deleted because it is in use by the following resources: ${users.join(', ')}. In order to delete the Network security group, remove the association with the resource(s). To learn how to do this, see aka.ms/deletensg.`,
      )
    },
  }
}

export function securityGroupOperations(cloud: AzureCloud): Operation[] {
  const kind = securityGroupKind(cloud)
  return [
    ...usualOperations(cloud, kind),
    {
      name: 'NetworkSecurityGroups_CreateOrUpdate',
      method: 'PUT',
      path: at.item(securityGroupType),
      versions: versions.network,
      handle: (call) => {
        const body = readBody(call, shape)
        const group = openGroup(cloud, call)
        const name = param(call, 'name')
        refuseBadName(name)
        const location = placeNamed(body.location, securityGroupType)
        const id = idIn(call, group, securityGroupType)
        refuseWhileAtWork(cloud, id)
        const readOnly = ['securityRules', 'defaultSecurityRules', 'networkInterfaces', 'subnets', 'resourceGuid']
        const doc = without(body.properties ?? {}, 'provisioningState', ...readOnly)
        const before = cloud.resources.find(keyOf(id))
        if (before !== undefined) refuseMove(name, group.name, before.location, location)
        const shownBefore = before === undefined ? undefined : kind.view(before)
        const securityGroup =
          before === undefined
            ? cloud.resources.add(
                {
                  id,
                  type: securityGroupType,
                  subscription: param(call, 'subscription'),
                  group: group.key,
                  name,
                  state: 'Updating',
                  location,
                  tags: body.tags,
                  doc,
                },
                call.now,
              )
            : cloud.resources.change(before.key, { tags: body.tags, doc })
        // The rules of a PUT are all the rules there are: what it leaves out goes.
        const asked = body.properties?.securityRules ?? []
        const names = new Set(asked.map((rule) => rule.name?.toLowerCase()))
        for (const rule of cloud.resources.parts(securityGroup.key)) {
          if (!names.has(rule.name.toLowerCase())) cloud.resources.remove(rule.key, call.now)
        }
        for (const rule of asked) putRule(cloud, call, securityGroup, rule.name ?? '', rule)
        return written(
          cloud,
          call,
          securityGroup.key,
          before === undefined,
          (resource) => kind.view(resource),
          securityGroup.key,
          shownBefore,
        )
      },
    },
  ]
}
