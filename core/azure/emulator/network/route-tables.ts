import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Operation } from '../arm/operation.ts'
import { envelope, without } from '../arm/read-body.ts'
import { networkRefusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { upsertNetworkResource, commonOperations, type NetworkResourceType } from './network-resource-type.ts'
import { etag, networkEnvelope } from './network-resource.ts'

const routeTableType = 'Microsoft.Network/routeTables'

const routeShape = z.looseObject({
  name: z.string(),
  properties: z.looseObject({
    addressPrefix: z.string(),
    nextHopType: z.enum(['VirtualNetworkGateway', 'VnetLocal', 'Internet', 'VirtualAppliance', 'None']),
    nextHopIpAddress: z.string().optional(),
  }),
})

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ routes: z.array(routeShape).optional() }).optional(),
})

type Route = z.infer<typeof routeShape>['properties']

/** Returns the user-defined routes of a subnet. */
export function routesOf(cloud: AzureCloud, subnet: Resource): readonly Route[] {
  const reference = subnet.doc.routeTable as { id: string } | undefined
  const table = reference === undefined ? undefined : cloud.resources.find(keyOf(reference.id))
  return ((table?.doc.routes ?? []) as z.infer<typeof routeShape>[]).map(({ properties }) => properties)
}

export function routeTableOperations(cloud: AzureCloud): Operation[] {
  const usersOf = ({ key }: Resource) => cloud.resources.linksTo(key, 'routeTable').map(({ via }) => via)
  const kind: NetworkResourceType = {
    type: routeTableType,
    operations: 'RouteTables',
    view: (table) => {
      const users = usersOf(table)
      const { routes = [], ...rest } = table.doc as { routes?: z.infer<typeof routeShape>[] }
      return {
        ...networkEnvelope(table),
        properties: {
          disableBgpRoutePropagation: false,
          ...rest,
          resourceGuid: table.uid,
          provisioningState: table.state,
          routes: routes.map(({ name, properties }) => ({
            id: `${table.id}/routes/${name}`,
            name,
            type: `${routeTableType}/routes`,
            etag: etag(table),
            properties: { hasBgpOverride: false, ...properties, provisioningState: table.state },
          })),
          ...(users.length === 0 ? {} : { subnets: users.map((id) => ({ id })) }),
        },
      }
    },
    refuseRemoval: (table) => {
      const users = usersOf(table)
      if (users.length === 0) return
      throw networkRefusal(
        400,
        'InUseRouteTableCannotBeDeleted',
        `Route table ${table.name} is in use and cannot be deleted.`,
      )
    },
  }
  return [
    ...commonOperations(cloud, kind),
    upsertNetworkResource(cloud, kind, shape, ({ body }) =>
      without(body.properties ?? {}, 'provisioningState', 'resourceGuid', 'subnets'),
    ),
  ]
}
