import { AZURE_NETWORK_PATTERN } from '@trainyard/templates/contract/azure-network.ts'

export interface AzureNetworkId {
  readonly subscriptionId: string
  readonly resourceGroup: string
  readonly name: string
  /** Null: the portal chooses a subnet. */
  readonly subnet: string | null
}

/** Returns the parts of a resource ID; null for a plain name, which means a network in the template's resource group. */
export function parseAzureNetworkId(network: string): AzureNetworkId | null {
  if (!network.startsWith('/') || !AZURE_NETWORK_PATTERN.test(network)) return null
  const [, , subscriptionId, , resourceGroup, , , , name, , subnet = null] = network.split('/')
  return { subscriptionId: subscriptionId!, resourceGroup: resourceGroup!, name: name!, subnet }
}
