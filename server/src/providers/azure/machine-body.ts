import type { ImageReference, OSProfile, Plan, VirtualMachine } from '@azure/arm-compute'
import type { MachineImage, MachineSpec } from '../cloud.ts'
import { TRUSTED_LAUNCH } from './gallery-names.ts'
import type { OwnImage } from './own-image.ts'
import { computerName, diskName, machineTags } from './names.ts'

/** The machine as Azure is asked for it; `networkInterface` is the network interface's resource id, `own` what its own image says. */
export function machineBody(spec: MachineSpec, networkInterface: string, own: OwnImage | null): VirtualMachine {
  return {
    location: spec.location,
    tags: machineTags(spec),
    plan: own === null ? planOf(spec.image) : (own.plan ?? undefined),
    // Azure Hybrid Benefit: means something for Windows only, and Azure refuses it for Linux.
    licenseType: spec.os === 'Windows' && spec.licence === 'Windows_Server' ? 'Windows_Server' : undefined,
    hardwareProfile: { vmSize: spec.size },
    storageProfile: {
      imageReference: imageOf(spec.image),
      osDisk: {
        name: diskName(spec),
        createOption: 'FromImage',
        caching: 'ReadWrite',
        managedDisk: { storageAccountType: 'StandardSSD_LRS' },
        // Left out, Azure keeps (and bills) the disk when the machine goes.
        deleteOption: 'Delete',
      },
    },
    // Refused without, of such an image (kubermatic/machine-controller#2013). Of any other the default is Azure's to know.
    securityProfile: own?.trustedLaunch === true ? { securityType: TRUSTED_LAUNCH } : undefined,
    osProfile: own?.specialized === true ? undefined : profileOf(spec),
    networkProfile: { networkInterfaces: [{ id: networkInterface, primary: true, deleteOption: 'Delete' }] },
  }
}

function profileOf(spec: MachineSpec): OSProfile {
  const profile = {
    computerName: computerName(spec),
    adminUsername: spec.adminUsername,
    adminPassword: spec.adminPassword,
  }
  return spec.os === 'Windows'
    ? { ...profile, windowsConfiguration: { provisionVMAgent: true, enableAutomaticUpdates: true } }
    : { ...profile, linuxConfiguration: { disablePasswordAuthentication: false, provisionVMAgent: true } }
}

function imageOf(image: MachineImage): ImageReference {
  if (image.kind === 'own') return { id: image.id }
  const { publisher, offer, sku, version } = image
  return { publisher, offer, sku, version }
}

function planOf(image: MachineImage): Plan | undefined {
  return image.kind === 'marketplace' ? { ...image.plan } : undefined
}
