import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { invalidParameter, missingReference, notYetProvisioned, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { refuseReserved } from './reserved-network-interfaces.ts'
import type { MachineBody } from './machine-body.ts'

/**
 * @throws Refusal if an interface is missing in the machine's location, is being updated, or is reserved for or used by
 * another machine
 */
export function networkInterfacesFor(
  cloud: AzureCloud,
  id: string,
  body: MachineBody,
  location: string,
  now: number,
): Resource[] {
  const { networkProfile } = body.properties
  if (networkProfile?.networkInterfaceConfigurations !== undefined) {
    throw invalidParameter(
      'networkProfile.networkInterfaceConfigurations',
      'The emulator supports network interfaces only by their ID.',
    )
  }
  const requested = networkProfile?.networkInterfaces ?? []
  if (requested.length === 0) {
    throw invalidParameter('networkProfile', "Required parameter 'networkProfile.networkInterfaces' is missing (null).")
  }
  if (
    requested.length > 1 &&
    requested.filter((networkInterface) => networkInterface.properties?.primary === true).length !== 1
  ) {
    throw new Refusal(
      400,
      'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
      `Virtual machine ${id} must have one network interface set as the primary.`,
    )
  }
  const networkInterfaces = requested.map((reference) => networkInterfaceFor(cloud, id, reference.id, location))
  for (const networkInterface of networkInterfaces) refuseReserved(cloud, networkInterface, id, now)
  return networkInterfaces
}

function networkInterfaceFor(cloud: AzureCloud, id: string, networkInterfaceId: string, location: string): Resource {
  const networkInterface = cloud.resources.find(keyOf(networkInterfaceId))
  if (networkInterface === undefined || networkInterface.state === 'Deleting') {
    throw new Refusal(404, 'NotFound', `Resource ${networkInterfaceId} not found.`, { details: [] })
  }
  if (networkInterface.location !== location) throw missingReference(networkInterface.id, id)
  if (networkInterface.state === 'Updating') throw notYetProvisioned(networkInterface.id, id, networkInterface.state)
  const holder = cloud.resources.linksTo(networkInterface.key, 'networkInterface')[0]
  if (holder === undefined) return networkInterface
  throw new Refusal(
    400,
    'NicInUse',
    `Network Interface ${networkInterface.id} is used by existing resource ${holder.via} and cannot be attached to ${id}.`,
  )
}
