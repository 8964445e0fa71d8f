import { networkRefusal } from '../arm/refusal.ts'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import type { Operation } from '../arm/operation.ts'
import { envelope, without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { defaultRules } from './default-rules.ts'
import { upsertNetworkResource, commonOperations, type NetworkResourceType } from './network-resource-type.ts'
import { removeOtherParts } from './network-parts.ts'
import { etag, networkEnvelope, startWrite } from './network-resource.ts'
import { securityGroupType, putRule, ruleShape, ruleView } from './security-rules.ts'

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ securityRules: z.array(ruleShape).optional() }).optional(),
})

export function securityGroupKind(cloud: AzureCloud): NetworkResourceType {
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
        ...networkEnvelope(securityGroup),
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
  const readOnly = ['securityRules', 'defaultSecurityRules', 'networkInterfaces', 'subnets', 'resourceGuid']
  return [
    ...commonOperations(cloud, kind),
    upsertNetworkResource(
      cloud,
      kind,
      shape,
      ({ body }) => without(body.properties ?? {}, 'provisioningState', ...readOnly),
      {
        finish: (securityGroup, { call, body, before, shownBefore }) => {
          const requested = body.properties?.securityRules ?? []
          removeOtherParts(cloud, call, securityGroup, requested)
          for (const rule of requested) putRule(cloud, call, securityGroup, rule.name ?? '', rule)
          const { key } = securityGroup
          return startWrite(cloud, call, key, before === undefined, (resource) => kind.view(resource), key, shownBefore)
        },
      },
    ),
  ]
}
