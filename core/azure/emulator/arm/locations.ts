import { Refusal } from './refusal.ts'

const names = `australiacentral australiaeast australiasoutheast austriaeast brazilsouth canadacentral canadaeast
centralindia centralus eastasia eastus eastus2 francecentral germanywestcentral indonesiacentral israelcentral
italynorth japaneast japanwest jioindiawest jioindiacentral koreacentral koreasouth malaysiawest mexicocentral
newzealandnorth northcentralus northeurope norwayeast polandcentral qatarcentral southafricanorth southcentralus
southindia southeastasia spaincentral swedencentral switzerlandnorth uaenorth uksouth ukwest westcentralus westeurope
westindia westus westus2 westus3`.split(/\s+/)

const knownNames = new Set(names)

export const locations: readonly string[] = names

/**
 * 'South India' and 'southindia' are equal.
 * @throws Refusal if the location is unknown
 */
export function parseLocation(location: string, type: string): string {
  const normal = location.toLowerCase().replaceAll(' ', '')
  if (knownNames.has(normal)) return normal
  if (type === 'Microsoft.Resources/resourceGroups') {
    throw new Refusal(
      400,
      'LocationNotAvailableForResourceGroup',
      `The provided location '${location}' is not available for resource group. List of available regions is '${names.join(',')}'.`,
    )
  }
  throw new Refusal(
    400,
    'LocationNotAvailableForResourceType',
    `The provided location '${location}' is not available for resource type '${type}'. List of available regions for the resource type is '${names.join(',')}'.`,
  )
}

export function refuseMove(name: string, group: string, current: string, requested: string): void {
  if (current === requested) return
  throw new Refusal(
    409,
    'InvalidResourceLocation',
    `The resource '${name}' already exists in location '${current}' in resource group '${group}'. A resource with the same name cannot be created in location '${requested}'. Please select a new resource name.`,
  )
}
