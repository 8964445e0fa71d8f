import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { childNotFound, invalidParameter } from '../arm/refusal.ts'
import type { MachineBody } from './machine-body.ts'
import { governanceIn } from '../governance/governance.ts'

/**
 * Encryption at host needs a feature of the subscription (hashicorp/terraform-provider-azurerm, disks-enable-host-based-
 * encryption); a disk encryption set must exist.
 * @throws Refusal
 */
export function refuseUnavailableEncryption(cloud: AzureCloud, { properties }: MachineBody): void {
  const { securityProfile, storageProfile } = properties
  const set = storageProfile.osDisk.managedDisk?.diskEncryptionSet?.id
  if (securityProfile?.encryptionAtHost !== true && set === undefined) return
  const { encryptionAtHost, diskEncryptionSets } = governanceIn(cloud.settings)
  if (securityProfile?.encryptionAtHost === true && !encryptionAtHost) {
    throw invalidParameter(
      'securityProfile.encryptionAtHost',
      "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
    )
  }
  if (set !== undefined && !diskEncryptionSets.some((each) => keyOf(each) === keyOf(set))) throw childNotFound(set)
}
