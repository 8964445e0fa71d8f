import type { Licence, OperatingSystem } from '@trainyard/contract/words/limits.ts'

/** Configuration of a machine, copied from the template to the machine when it is ordered. */
export interface MachineConfigColumns {
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
