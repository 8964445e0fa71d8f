import type { Licence, OperatingSystem } from '@trainyard/contract/words/limits.ts'

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
