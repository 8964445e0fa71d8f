import type { AzureCloud } from '../cloud.ts'
import { envelopeOf } from '../arm/envelope.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { afterToken, emptyPage, isEmptyPage, nextLink } from '../arm/paging.ts'
import type { Resource } from '../arm/resources.ts'
import { resourceFilter } from './resource-filter.ts'
import { requireGroup } from './existing-group.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'

const pageSize = 200

export function groupContentOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'Resources_ListByResourceGroup',
      method: 'GET',
      path: `${paths.group}/resources`,
      versions: versions.resources,
      handle: (call) => pageOf(call, cloud.resources.inGroup(requireGroup(cloud, call).key)),
    },
    {
      name: 'Resources_List',
      method: 'GET',
      path: `${paths.subscription}/resources`,
      versions: versions.resources,
      handle: (call) => pageOf(call, cloud.resources.inSubscription(param(call, 'subscription'))),
    },
  ]
}

function pageOf(call: Call, all: readonly Resource[]): Answer {
  const isWanted = resourceFilter(call.query.$filter)
  if (isEmptyPage(call) || isFirstOfSearch(call)) return emptyPage(call)
  const after = afterToken(call)
  const found = all.filter((each) => isListed(each) && each.key > after && isWanted(each))
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  const expand = (call.query.$expand ?? '').toLowerCase().split(',')
  return {
    status: 200,
    body: {
      value: page.map((resource) => view(resource, expand)),
      ...(found.length > pageSize && last !== undefined ? { nextLink: nextLink(call, last.key) } : {}),
    },
  }
}

/** A search by name starts with an empty page, as in every recording by azure-cli. */
const isFirstOfSearch = ({ query }: Call): boolean =>
  query.$skiptoken === undefined && /\bname eq /i.test(query.$filter ?? '')

/** Extensions and gallery images are listed; subnets and security rules are not. */
const isListed = ({ parent, type }: Resource): boolean => parent === null || type.startsWith('Microsoft.Compute/')

function view(resource: Resource, expand: readonly string[]): unknown {
  const sku = resource.doc.sku as { name?: string; tier?: string } | undefined
  return {
    ...envelopeOf(resource),
    name: qualifiedName(resource),
    ...(sku?.name === undefined
      ? {}
      : { sku: { name: sku.name, ...(sku.tier === undefined ? {} : { tier: sku.tier }) } }),
    ...(expand.includes('createdtime') ? { createdTime: iso(resource.createdAt) } : {}),
    ...(expand.includes('changedtime') ? { changedTime: iso(resource.createdAt) } : {}),
    ...(expand.includes('provisioningstate') ? { provisioningState: resource.state } : {}),
  }
}

/** Returns for example `machine/extension` or `gallery/image/version`: every second segment after the provider. */
function qualifiedName({ id }: Resource): string {
  const [, , ...parts] = (id.split('/providers/').at(-1) ?? '').split('/')
  return parts.filter((_, index) => index % 2 === 0).join('/')
}
