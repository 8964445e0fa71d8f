import { ComputeManagementClient } from '@azure/arm-compute'
import { NetworkManagementClient } from '@azure/arm-network'
import { ResourceManagementClient } from '@azure/arm-resources'
import { azureCredential, azureTransport } from '#test/azure-transport.ts'
import type { Exchange } from '#test/exchange.ts'
import { subscription } from '#test/far-end.ts'

/** Returns the Azure SDK clients that the server uses, connected to the emulator. `watch` receives every exchange. */
export function officialClients(url: string, watch: (exchange: Exchange) => void) {
  const options = { httpClient: azureTransport(url, watch) }
  return {
    compute: new ComputeManagementClient(azureCredential, subscription, options),
    network: new NetworkManagementClient(azureCredential, subscription, options),
    resources: new ResourceManagementClient(azureCredential, subscription, options),
  }
}
