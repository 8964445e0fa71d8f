import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '@trainyard/templates/contract/template.ts'
import type { TemplateForm } from '@trainyard/templates/server/form.ts'
import { azureImage, azurePlace, azureSize } from './place.ts'

type AzureFields = Pick<
  BodyOf<typeof template.create>,
  | (
      | 'resourceGroup'
      | 'location'
      | 'vnet'
      | 'vmSize'
      | 'imageId'
      | 'isOfficial'
      | 'planPublisher'
      | 'product'
      | 'version'
    )
  | ('diskSku' | 'diskEncryptionSet' | 'encryptionAtHost' | 'bootDiagnostics')
>

export const azureValues = (form: AzureFields) => ({
  place: azurePlace.parse({ group: form.resourceGroup, location: form.location, network: form.vnet }),
  size: azureSize.parse({
    name: form.vmSize,
    disk: form.diskSku,
    encryptionSet: form.diskEncryptionSet,
    encryptionAtHost: form.encryptionAtHost,
    bootDiagnostics: form.bootDiagnostics,
  }),
  image: azureImage.parse({
    id: form.imageId,
    plan: form.isOfficial ? { publisher: form.planPublisher, product: form.product, version: form.version } : null,
  }),
})

/** The form Create VM Card, whose fields are Azure's. */
export const azureForm: TemplateForm = {
  provider: 'azure',
  valuesOf: azureValues,
  fieldsOf(values) {
    const { group, location, network } = azurePlace.parse(values.place)
    const { name, disk, encryptionSet, encryptionAtHost, bootDiagnostics } = azureSize.parse(values.size)
    const { id, plan } = azureImage.parse(values.image)
    return {
      resourceGroup: group,
      location,
      vnet: network,
      vmSize: name,
      imageId: id,
      isOfficial: plan !== null,
      ...(plan !== null && { planPublisher: plan.publisher, product: plan.product, version: plan.version }),
      diskSku: disk,
      ...(encryptionSet !== null && { diskEncryptionSet: encryptionSet }),
      encryptionAtHost,
      bootDiagnostics,
    }
  },
}
