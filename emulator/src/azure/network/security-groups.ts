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
import { guardType, putRule, ruleShape, ruleView } from '#src/azure/network/security-rules.ts'
import { networkRefusal } from '#src/azure/network/network-refusal.ts'

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ securityRules: z.array(ruleShape).optional() }).optional(),
})

export function securityGroupKind(cloud: AzureCloud): NetworkKind {
  const usersOf = (guard: Resource): string[] => cloud.resources.linksTo(guard.key, 'guard').map(({ via }) => via)
  const isSubnet = (id: string): boolean => /\/subnets\//i.test(id)
  return {
    type: guardType,
    operations: 'NetworkSecurityGroups',
    view: (guard) => {
      const users = usersOf(guard)
      const cards = users.filter((id) => !isSubnet(id))
      const subnets = users.filter(isSubnet)
      return {
        ...top(guard),
        properties: {
          ...guard.doc,
          resourceGuid: guard.uid,
          provisioningState: guard.state,
          securityRules: cloud.resources.parts(guard.key).map(ruleView),
          defaultSecurityRules: defaultRules(guard.id, etag(guard)),
          ...(cards.length === 0 ? {} : { networkInterfaces: cards.map((id) => ({ id })) }),
          ...(subnets.length === 0 ? {} : { subnets: subnets.map((id) => ({ id })) }),
        },
      }
    },
    refuseRemoval: (guard) => {
      const users = usersOf(guard)
      if (users.length === 0) return
      throw networkRefusal(
        400,
        'InUseNetworkSecurityGroupCannotBeDeleted',
        `Network security group ${guard.id} cannot be deleted because it is in use by the following resources: ${users.join(', ')}. In order to delete the Network security group, remove the association with the resource(s). To learn how to do this, see aka.ms/deletensg.`,
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
      path: at.item(guardType),
      versions: versions.network,
      handle: (call) => {
        const body = readBody(call, shape)
        const group = openGroup(cloud, call)
        const name = param(call, 'name')
        refuseBadName(name)
        const location = placeNamed(body.location, guardType)
        const id = idIn(call, group, guardType)
        refuseWhileAtWork(cloud, id)
        const readOnly = ['securityRules', 'defaultSecurityRules', 'networkInterfaces', 'subnets', 'resourceGuid']
        const doc = without(body.properties ?? {}, 'provisioningState', ...readOnly)
        const before = cloud.resources.find(keyOf(id))
        if (before !== undefined) refuseMove(name, group.name, before.location, location)
        const shownBefore = before === undefined ? undefined : kind.view(before)
        const guard =
          before === undefined
            ? cloud.resources.add(
                {
                  id,
                  type: guardType,
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
        for (const rule of cloud.resources.parts(guard.key)) {
          if (!names.has(rule.name.toLowerCase())) cloud.resources.remove(rule.key, call.now)
        }
        for (const rule of asked) putRule(cloud, call, guard, rule.name ?? '', rule)
        return written(
          cloud,
          call,
          guard.key,
          before === undefined,
          (resource) => kind.view(resource),
          guard.key,
          shownBefore,
        )
      },
    },
  ]
}
