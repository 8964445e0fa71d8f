import type { AzureCloud } from '../cloud.ts'
import { Refusal } from '../arm/refusal.ts'
import { sizes, type Size } from './sizes.ts'

const defaultCores = 200_000

function coreLimit(cloud: AzureCloud): number {
  const set = cloud.settings.read('compute.core-quota')
  return set === undefined ? defaultCores : Number(set)
}

export function setCoreLimit(cloud: AzureCloud, cores: number | null): void {
  cloud.settings.write('compute.core-quota', String(cores ?? defaultCores))
}

const familySetting = (family: string): string => `compute.family-quota ${family.toLowerCase()}`

const familyLimit = (cloud: AzureCloud, family: string): number => {
  const set = cloud.settings.read(familySetting(family)) ?? ''
  return set === '' ? coreLimit(cloud) : Number(set)
}

/** Null: the family has the regional limit. */
export function setFamilyLimit(cloud: AzureCloud, family: string, cores: number | null): void {
  cloud.settings.write(familySetting(family), cores === null ? '' : String(cores))
}

/** Stopped and deallocated machines count as well as running ones. */
export function refuseOverQuota(cloud: AzureCloud, subscription: string, location: string, size: Size): void {
  const limit = coreLimit(cloud)
  const used = cloud.machines.coresUsed(subscription, location)
  if (used + size.cores > limit) throw overQuota('Total Regional Cores', location, limit, used, size.cores)
  const family = familyLimit(cloud, size.family)
  const usedOfFamily = cloud.machines.coresByFamily(subscription, location).get(size.family) ?? 0
  if (usedOfFamily + size.cores <= family) return
  throw overQuota(`${size.family} Cores`, location, family, usedOfFamily, size.cores)
}

function overQuota(quotaName: string, location: string, limit: number, used: number, requested: number): Refusal {
  return new Refusal(
    409,
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${quotaName} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${used}, Additional Required: ${requested}, (Minimum) New Limit Required: ${used + requested}. Submit a request for Quota increase at https://aka.ms/ProdportalCRP by specifying parameters listed in the 'Details' section for deployment to succeed. Please read more about quota limits at https://docs.microsoft.com/en-us/azure/azure-supportability/regional-quota-requests`,
  )
}

export function usagesIn(
  cloud: AzureCloud,
  subscription: string,
  location: string,
): { name: string; localizedName: string; used: number; limit: number }[] {
  const limit = coreLimit(cloud)
  const families = [...new Set(sizes.map(({ family }) => family))]
  const perFamily = cloud.machines.coresByFamily(subscription, location)
  return [
    {
      name: 'cores',
      localizedName: 'Total Regional vCPUs',
      used: cloud.machines.coresUsed(subscription, location),
      limit,
    },
    {
      name: 'virtualMachines',
      localizedName: 'Virtual Machines',
      used: cloud.machines.count(subscription, location),
      limit: 25_000,
    },
    ...families.map((family) => ({
      name: family,
      localizedName: `${family.replace('standard', 'Standard ').replace('Family', ' Family')} vCPUs`,
      used: perFamily.get(family) ?? 0,
      limit: familyLimit(cloud, family),
    })),
  ]
}
