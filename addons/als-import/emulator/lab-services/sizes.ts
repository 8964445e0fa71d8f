import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { param, paths, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { LAB_VERSIONS, labType, ok, propertiesOf } from './lab-resource.ts'

/** Sizes of Lab Services. Source: Microsoft's bulk scripts (Azure/LabServices at 630f4c0) and administrator guide. */
const SIZES = [
  'Fsv2_2_4GB_128_S_SSD',
  'Fsv2_4_8GB_128_S_SSD',
  'Fsv2_8_16GB_128_S_SSD',
  'Dsv4_4_16GB_128_P_SSD',
  'Dsv4_8_32GB_128_P_SSD',
]

/** Limit of cores in a region. The real limit depends on the subscription. */
const CORES = 200

export function sizeOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'LabServices_Skus_List',
      method: 'GET',
      path: paths.all('Microsoft.LabServices/skus'),
      versions: LAB_VERSIONS,
      handle: () => ok({ value: SIZES.map(skuOf) }),
    },
    {
      name: 'LabServices_Usages_ListByLocation',
      method: 'GET',
      path: '/subscriptions/:subscription/providers/Microsoft.LabServices/locations/:location/usages',
      versions: LAB_VERSIONS,
      handle: (call) => {
        const location = param(call, 'location')
        const usedCores = cloud.resources
          .ofType(labType)
          .filter((lab) => lab.location === location.toLowerCase())
          .reduce((cores, lab) => {
            const { sku } = propertiesOf(lab)['virtualMachineProfile'] as { sku: { name: string; capacity?: number } }
            return cores + (sku.capacity ?? 0) * Number(/_(\d+)_\d+GB/.exec(sku.name)?.[1] ?? 2)
          }, 0)
        const id = `/subscriptions/${param(call, 'subscription')}/providers/Microsoft.LabServices/locations/${location}/usages/fsv2`
        const name = { localizedValue: 'Fsv2', value: 'Fsv2', skuInstances: ['Classic_Fsv2_2_4GB_128_S_SSD'] }
        return ok({ value: [{ currentValue: usedCores, limit: CORES, unit: 'Count', name, id }] })
      },
    },
    {
      name: 'LabServices_LabAccounts_List',
      method: 'GET',
      path: paths.all('Microsoft.LabServices/labaccounts'),
      versions: ['2018-10-15', '2019-01-01-preview'],
      // New lab accounts cannot be created, so the emulator has none.
      handle: () => ({ status: 200, body: { value: [] } }),
    },
  ]
}

function skuOf(size: string): unknown {
  const [, family = '', cores = '', memory = '', disk = '', type = ''] =
    /^(\w+?)_(\d+)_(\d+)GB_(\d+)_([SP])_SSD$/.exec(size) ?? []
  return {
    resourceType: 'labs',
    name: `Classic_${size}`,
    tier: 'Standard',
    size,
    family,
    locations: ['southindia', 'eastus'],
    capacity: { minimum: 0, maximum: 400, default: 1, scaleType: 'Automatic' },
    costs: [],
    capabilities: [
      { name: 'vCPUs', value: cores },
      { name: 'MemoryGB', value: memory },
      { name: 'StorageGB', value: disk },
      { name: 'StorageType', value: type === 'P' ? 'PremiumSSD' : 'StandardSSD' },
    ],
  }
}
