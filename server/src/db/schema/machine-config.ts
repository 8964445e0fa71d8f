import type { Generated } from 'kysely'
import type { AzureTags } from '@trainyard/contract/words/azure-tags.ts'
import type { PrivateNetworkId } from '@trainyard/contract/words/ids.ts'
import type { DiskSku, Licence, OperatingSystem } from '@trainyard/contract/words/limits.ts'

export interface MachineConfigColumns {
  resource_group: string
  location: string
  vnet: string
  /** null: the machine has a public address. */
  private_network_id: PrivateNetworkId | null
  vm_size: string
  image_id: string
  os: OperatingSystem
  licence: Licence
  plan_publisher: string | null
  plan_product: string | null
  plan_version: string | null
}

/** Options that the policies of some subscriptions require. */
export interface AzureOptionColumns {
  /** Tags of the template. The organisation's tags are added when a resource is created. */
  azure_tags: Generated<AzureTags>
  disk_sku: Generated<DiskSku>
  /** Resource ID of a disk encryption set; null: Azure's own keys encrypt the disk. */
  disk_encryption_set: string | null
  encryption_at_host: Generated<boolean>
  boot_diagnostics: Generated<boolean>
}
