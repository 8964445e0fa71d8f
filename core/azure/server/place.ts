import { z } from 'zod'
import { DISK_SKUS } from '@trainyard/platform/contract/words/limits.ts'
import { hasNoPathTraversal } from '@trainyard/platform/contract/words/path-traversal.ts'

const text = z.string().min(1)

/** Place of machines: resource group, region, and the name or resource ID of a virtual network or subnet. */
export const azurePlace = z.object({ group: text, location: text, network: text })

/** Hardware of machines: VM size, disk and encryption. */
export const azureSize = z.object({
  name: text,
  disk: z.enum(DISK_SKUS).default(DISK_SKUS[0]),
  /** Resource ID of a disk encryption set; null: Azure's own keys encrypt the disk. */
  encryptionSet: text.nullable().default(null),
  encryptionAtHost: z.boolean().default(false),
  bootDiagnostics: z.boolean().default(false),
})

/** These values become part of URLs. */
const urlPart = text.refine(hasNoPathTraversal)

/** `publisher:offer:sku:version` or a resource ID, and the plan of a marketplace image. */
export const azureImage = z.object({
  id: urlPart,
  plan: z.object({ publisher: urlPart, product: urlPart, version: urlPart }).nullable().default(null),
})

export type AzurePlace = z.output<typeof azurePlace>
export type AzureSize = z.output<typeof azureSize>
