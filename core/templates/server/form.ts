import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { DISK_SKUS } from '@trainyard/platform/contract/words/limits.ts'
import { paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { TemplateRow } from '../tables.gen.ts'

type FormColumns = Omit<
  TemplateRow,
  'id' | 'created_at' | 'refusal' | 'revision' | 'address_kind' | 'private_network_id'
>

/** Returns the columns that the form sets. `placeTemplate` sets those of the address. */
export const columnsOf = (form: BodyOf<typeof template.create>): FormColumns => ({
  name: form.name,
  rate_paise: paiseOfRupees(form.rate)!,
  resource_group: form.resourceGroup,
  location: form.location,
  vnet: form.vnet,
  vm_size: form.vmSize,
  image_id: form.imageId,
  os: form.os,
  licence: form.licence,
  plan_publisher: form.planPublisher ?? null,
  plan_product: form.product ?? null,
  plan_version: form.version ?? null,
  cpu: form.cpu,
  memory: form.memory,
  storage: form.storage,
  disk: form.disk,
  azure_tags: form.tags ?? {},
  disk_sku: form.diskSku ?? DISK_SKUS[0],
  disk_encryption_set: form.diskEncryptionSet ?? null,
  encryption_at_host: form.encryptionAtHost ?? false,
  boot_diagnostics: form.bootDiagnostics ?? false,
})

/** @param network name of the template's private network */
export const formOf = (row: TemplateRow, network: string | null): ReplyOf<typeof template.read> => ({
  name: row.name,
  rate: rupeesOfPaise(row.rate_paise),
  resourceGroup: row.resource_group,
  location: row.location,
  vnet: row.vnet,
  vmSize: row.vm_size,
  imageId: row.image_id,
  os: row.os,
  licence: row.licence,
  addressKind: row.address_kind,
  ...(network !== null && { privateNetwork: network }),
  isOfficial: row.plan_publisher !== null,
  ...(row.plan_publisher !== null && {
    planPublisher: row.plan_publisher,
    product: row.plan_product!,
    version: row.plan_version!,
  }),
  cpu: row.cpu,
  memory: row.memory,
  storage: row.storage,
  disk: row.disk,
  tags: row.azure_tags,
  diskSku: row.disk_sku,
  ...(row.disk_encryption_set !== null && { diskEncryptionSet: row.disk_encryption_set }),
  encryptionAtHost: row.encryption_at_host,
  bootDiagnostics: row.boot_diagnostics,
  revision: row.revision,
})
