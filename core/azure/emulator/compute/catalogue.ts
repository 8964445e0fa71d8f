import type { AzureCloud } from '../cloud.ts'
import { locations } from '../arm/locations.ts'
import { versions, type Operation } from '../arm/operation.ts'
import { Refusal } from '../arm/refusal.ts'
import { usageOperation } from '../arm/usages.ts'
import { usagesIn } from './quotas.ts'
import { governanceIn } from '../governance/governance.ts'
import { isWithheld } from './withheld-sizes.ts'
import { sizes } from './sizes.ts'

export function catalogueOperations(cloud: AzureCloud): Operation[] {
  return [
    usageOperation(
      { name: 'Usage_List', service: 'Microsoft.Compute', versions: versions.compute },
      (subscription, location) =>
        usagesIn(cloud, subscription, location).map(({ name, ...one }) => ({ value: name, ...one })),
    ),
    {
      name: 'ResourceSkus_List',
      method: 'GET',
      path: '/subscriptions/:subscription/providers/Microsoft.Compute/skus',
      versions: versions.skus,
      handle: (call) => {
        const requested = locationIn(call.query.$filter)
        const regions = requested === undefined ? locations : locations.filter((location) => location === requested)
        return { status: 200, body: { value: regions.flatMap((location) => sizesAt(cloud, location)) } }
      },
    },
  ]
}

function locationIn(filter: string | undefined): string | undefined {
  if (filter === undefined || filter === '') return undefined
  const match = /^location eq '([^']+)'$/i.exec(filter.trim())
  if (match?.[1] !== undefined) return match[1].toLowerCase().replaceAll(' ', '')
  throw new Refusal(400, 'InvalidFilter', `The filter '${filter}' is not supported. Use location eq 'name'.`)
}

function sizesAt(cloud: AzureCloud, location: string): unknown[] {
  const closed = governanceIn(cloud.settings).closedLocations.includes(location)
  return sizes.map((size) => ({
    resourceType: 'virtualMachines',
    name: size.name,
    tier: size.tier,
    size: size.name.replace('Standard_', ''),
    family: size.family,
    locations: [location],
    locationInfo: [{ location, zones: [], zoneDetails: [] }],
    capabilities: [
      { name: 'vCPUs', value: String(size.cores) },
      { name: 'MemoryGB', value: String(size.memory) },
      { name: 'HyperVGenerations', value: 'V1,V2' },
      { name: 'CpuArchitectureType', value: 'x64' },
    ],
    restrictions:
      closed || isWithheld(cloud, location, size.name)
        ? [
            {
              type: 'Location',
              values: [location],
              restrictionInfo: { locations: [location] },
              reasonCode: 'NotAvailableForSubscription',
            },
          ]
        : [],
  }))
}
