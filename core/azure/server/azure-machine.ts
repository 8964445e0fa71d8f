import { z } from 'zod'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { ImageReference, Place, Size } from '@trainyard/templates/contract/provider.ts'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import type { AzureImage, AzureMachineSpec } from './azure-spec.ts'
import { azureImage, azurePlace, azureSize, type AzurePlace } from './place.ts'

/** Returns the machine in Azure's terms. @throws CloudError refused, which is final */
export function azureMachineOf({ place, size, image, ...spec }: MachineSpec): AzureMachineSpec {
  const { group, location, network } = placeOf(place)
  const { name, disk, encryptionSet, encryptionAtHost, bootDiagnostics } = parsed(azureSize, size, 'size')
  return {
    ...spec,
    resourceGroup: group,
    location,
    network,
    size: name,
    image: imageOf(image),
    disk: { sku: disk, encryptionSet },
    encryptionAtHost,
    bootDiagnostics,
  }
}

/** @throws CloudError refused, which is final */
export const placeOf = (place: Place): AzurePlace => parsed(azurePlace, place, 'place')

/** @throws CloudError refused, which is final */
export function imageOf(reference: ImageReference): AzureImage {
  const image = azureImage.safeParse(reference)
  if (!image.success) throw refused(`The template's image ${reference.id} is not a valid image ID.`)
  const { id, plan } = image.data
  if (id.includes('/')) return { kind: 'own', id }
  const [publisher, offer, sku, version = 'latest'] = id.split(':')
  if (publisher === undefined || offer === undefined || sku === undefined) {
    throw refused(`The template's image ${id} is neither publisher:offer:sku:version nor an ID.`)
  }
  if (plan === null) return { kind: 'platform', publisher, offer, sku, version }
  return {
    kind: 'marketplace',
    publisher,
    offer,
    sku,
    version: plan.version,
    plan: { publisher: plan.publisher, product: plan.product, name: sku },
  }
}

function parsed<T>(schema: z.ZodType<T>, value: Place | Size, what: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refused(`The template's ${what} is not one of Azure: ${z.prettifyError(result.error)}`)
}

const refused = (message: string): CloudError => new CloudError('refused', message, null, { final: true })
