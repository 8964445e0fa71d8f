import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { invalidParameter, missingReference, notYetProvisioned, Refusal } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { refuseReserved } from '#src/azure/compute/reserved-cards.ts'
import type { MachineBody } from '#src/azure/compute/machine-body.ts'

/** The network cards that a machine asks for: they have to stand in the same place, and be nobody else's. */
export function cardsFor(cloud: AzureCloud, id: string, body: MachineBody, location: string, now: number): Resource[] {
  const { networkProfile } = body.properties
  if (networkProfile?.networkInterfaceConfigurations !== undefined) {
    throw invalidParameter(
      'networkProfile.networkInterfaceConfigurations',
      'The emulator takes network interfaces by their id only.',
    )
  }
  const asked = networkProfile?.networkInterfaces ?? []
  if (asked.length === 0) {
    throw invalidParameter('networkProfile', "Required parameter 'networkProfile.networkInterfaces' is missing (null).")
  }
  if (asked.length > 1 && asked.filter((card) => card.properties?.primary === true).length !== 1) {
    throw new Refusal(
      400,
      'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
      `Virtual machine ${id} must have one network interface set as the primary.`,
    )
  }
  const cards = asked.map((reference) => cardFor(cloud, id, reference.id, location))
  for (const card of cards) refuseReserved(cloud, card, id, now)
  return cards
}

function cardFor(cloud: AzureCloud, id: string, cardId: string, location: string): Resource {
  const card = cloud.resources.find(keyOf(cardId))
  if (card === undefined || card.state === 'Deleting') {
    throw new Refusal(404, 'NotFound', `Resource ${cardId} not found.`, { details: [] })
  }
  if (card.location !== location) throw missingReference(card.id, id)
  if (card.state === 'Updating') throw notYetProvisioned(card.id, id, card.state)
  const holder = cloud.resources.linksTo(card.key, 'card')[0]
  if (holder === undefined) return card
  throw new Refusal(
    400,
    'NicInUse',
    `Network Interface ${card.id} is used by existing resource ${holder.via} and cannot be attached to ${id}.`,
  )
}
