import type { Licence, OperatingSystem } from '@trainyard/contract/words/limits.ts'

/** What a machine is made of and where it stands: said by its template, and copied to the machine when it is ordered. */
export interface MachineMakeColumns {
  resource_group: string
  location: string
  vnet: string
  vm_size: string
  image_id: string
  os: OperatingSystem
  licence: Licence
  plan_publisher: string | null
  plan_product: string | null
  plan_version: string | null
}
