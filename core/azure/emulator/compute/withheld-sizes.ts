import type { AzureCloud } from '../cloud.ts'
import { Refusal } from '../arm/refusal.ts'

const settingOf = (location: string, size: string) => `compute.withheld ${location}/${size}`.toLowerCase()

/** Returns true if a subscription can't use a size at a location. Every size is offered until a test withholds it. */
export function isWithheld(cloud: AzureCloud, location: string, size: string): boolean {
  return cloud.settings.read(settingOf(location, size)) === 'yes'
}

export function setWithheld(cloud: AzureCloud, location: string, size: string, withheld: boolean): void {
  cloud.settings.write(settingOf(location, size), withheld ? 'yes' : 'no')
}

export function refuseWithheld(cloud: AzureCloud, location: string, size: string): void {
  if (!isWithheld(cloud, location, size)) return
  throw new Refusal(
    409,
    'SkuNotAvailable',
    `The requested VM size '${size}' is not available in the current region. The sizes available in the current region are listed by the resource SKUs API. Find out more on the available VM sizes in each region at https://aka.ms/azure-regions.`,
  )
}
