import type { ImageReference, OSProfile, Plan, SecurityProfile, VirtualMachine } from '@azure/arm-compute'
import type { AzureImage, AzureMachineSpec } from './azure-spec.ts'
import { TRUSTED_LAUNCH } from './gallery-names.ts'
import type { OwnImage } from './own-image.ts'
import { computerName, diskName, machineTags } from './names.ts'

export function machineBody(
  spec: AzureMachineSpec,
  networkInterface: string,
  ownImage: OwnImage | null,
): VirtualMachine {
  return {
    location: spec.location,
    tags: machineTags(spec),
    plan: ownImage === null ? planOf(spec.image) : (ownImage.plan ?? undefined),
    // Azure Hybrid Benefit applies to Windows only; Azure refuses it for Linux.
    licenseType: spec.os === 'Windows' && spec.licence === 'Windows_Server' ? 'Windows_Server' : undefined,
    hardwareProfile: { vmSize: spec.size },
    storageProfile: {
      imageReference: imageOf(spec.image),
      osDisk: {
        name: diskName(spec),
        createOption: 'FromImage',
        caching: 'ReadWrite',
        managedDisk: {
          storageAccountType: spec.disk.sku,
          ...(spec.disk.encryptionSet === null ? {} : { diskEncryptionSet: { id: spec.disk.encryptionSet } }),
        },
        // Without this option, Azure would keep (and bill) the disk when the machine is deleted.
        deleteOption: 'Delete',
      },
    },
    securityProfile: securityProfileOf(spec, ownImage),
    diagnosticsProfile: spec.bootDiagnostics ? { bootDiagnostics: { enabled: true } } : undefined,
    osProfile: ownImage?.specialized === true ? undefined : profileOf(spec),
    networkProfile: { networkInterfaces: [{ id: networkInterface, primary: true, deleteOption: 'Delete' }] },
  }
}

function securityProfileOf(spec: AzureMachineSpec, ownImage: OwnImage | null): SecurityProfile | undefined {
  // Trusted Launch must be requested for such an image (kubermatic/machine-controller#2013). For any other image,
  // Azure's default applies.
  const trusted = ownImage?.trustedLaunch === true ? { securityType: TRUSTED_LAUNCH } : {}
  const encrypted = spec.encryptionAtHost ? { encryptionAtHost: true } : {}
  const profile = { ...trusted, ...encrypted }
  return Object.keys(profile).length === 0 ? undefined : profile
}

function profileOf(spec: AzureMachineSpec): OSProfile {
  const profile = {
    computerName: computerName(spec),
    adminUsername: spec.adminUsername,
    adminPassword: spec.adminPassword,
  }
  return spec.os === 'Windows'
    ? { ...profile, windowsConfiguration: { provisionVMAgent: true, enableAutomaticUpdates: true } }
    : { ...profile, linuxConfiguration: { disablePasswordAuthentication: false, provisionVMAgent: true } }
}

function imageOf(image: AzureImage): ImageReference {
  if (image.kind === 'own') return { id: image.id }
  const { publisher, offer, sku, version } = image
  return { publisher, offer, sku, version }
}

function planOf(image: AzureImage): Plan | undefined {
  return image.kind === 'marketplace' ? { ...image.plan } : undefined
}
