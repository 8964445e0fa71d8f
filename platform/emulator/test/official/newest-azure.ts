import { AuthorizationManagementClient } from '@azure/arm-authorization'
import { MarketplaceOrderingAgreements } from '@azure/arm-marketplaceordering'
import { ComputeManagementClient } from 'newest-arm-compute'
import { NetworkManagementClient } from 'newest-arm-network'
import { PolicyClient } from 'newest-arm-policy'
import { ResourceManagementClient } from 'newest-arm-resources'
import { azureCredential, azureTransport, type Watch } from '../azure-transport.ts'
import { subscription } from '../test-emulator.ts'

/** Returns Azure's newest clients connected to the emulator, with their own pollers, pauses and api-versions. */
export function newestAzure(url: string, watch?: Watch) {
  const options = { httpClient: azureTransport(url, watch) }
  return {
    compute: new ComputeManagementClient(azureCredential, subscription, options),
    network: new NetworkManagementClient(azureCredential, subscription, options),
    resources: new ResourceManagementClient(azureCredential, subscription, options),
    policy: new PolicyClient(azureCredential, subscription, options),
    authorization: new AuthorizationManagementClient(azureCredential, subscription, options),
    marketplace: new MarketplaceOrderingAgreements(azureCredential, subscription, options),
  }
}

export const newestAzurePackages = [
  'newest-arm-compute',
  'newest-arm-network',
  'newest-arm-resources',
  'newest-arm-policy',
  '@azure/arm-authorization',
  '@azure/arm-marketplaceordering',
] as const
