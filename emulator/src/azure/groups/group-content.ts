import type { AzureCloud } from '#src/azure/cloud.ts'
import { envelopeOf } from '#src/azure/arm/envelope.ts'
import { at, versions, type Operation } from '#src/azure/arm/operation.ts'
import { host } from '#src/azure/arm/poll-addresses.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { standingGroup } from '#src/azure/groups/standing-group.ts'
import { iso } from '#src/clock/clock.ts'

const pageSize = 200

/** What stands in a group, of every type, without the parts of things. */
export function groupContentOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'Resources_ListByResourceGroup',
      method: 'GET',
      path: `${at.group}/resources`,
      versions: versions.resources,
      handle: (call) => {
        const group = standingGroup(cloud, call)
        const expand = (call.query.$expand ?? '').toLowerCase().split(',')
        const after =
          call.query.$skiptoken === undefined ? '' : Buffer.from(call.query.$skiptoken, 'base64url').toString()
        const found = cloud.resources.inGroup(group.key).filter(({ parent, key }) => parent === null && key > after)
        const page = found.slice(0, pageSize)
        const more = new URLSearchParams(call.query)
        more.set('$skiptoken', Buffer.from(page.at(-1)?.key ?? '').toString('base64url'))
        return {
          status: 200,
          body: {
            value: page.map((resource) => view(resource, expand.includes('createdtime'))),
            ...(found.length > pageSize ? { nextLink: `${host}${call.path}?${more.toString()}` } : {}),
          },
        }
      },
    },
  ]
}

function view(resource: Resource, withTime: boolean): unknown {
  const sku = resource.doc.sku as { name?: string; tier?: string } | undefined
  return {
    ...envelopeOf(resource),
    ...(sku?.name === undefined
      ? {}
      : { sku: { name: sku.name, ...(sku.tier === undefined ? {} : { tier: sku.tier }) } }),
    ...(withTime ? { createdTime: iso(resource.createdAt) } : {}),
  }
}
