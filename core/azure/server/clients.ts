import { ComputeManagementClient } from '@azure/arm-compute'
import { MarketplaceOrderingAgreements } from '@azure/arm-marketplaceordering'
import { NetworkManagementClient } from '@azure/arm-network'
import { ResourceManagementClient } from '@azure/arm-resources'
import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline'
import type { TokenCredential } from '@azure/identity'
import type { RateLimiter } from '@trainyard/platform/server/providers/rate-limiter.ts'
import { rateLimited } from './rate-limited.ts'
import { logged, type AzureCall } from './call-log.ts'
import { forwardTo } from './forward.ts'
import { withCheckedNames } from './checked-names.ts'
import { withRegistration } from './provider-registration.ts'

export interface AzureSettings {
  readonly subscriptionId: string
  readonly credential: TokenCredential
  /** Address range of virtual networks that are created; default: 10.0.0.0/16. */
  readonly networkRange?: string
  readonly endpoint?: string
  /** Base URL of a server that speaks the same protocol (`http://127.0.0.1:4010`) and receives the requests instead. */
  readonly emulatorUrl?: string
  readonly http?: (wire: HttpClient) => HttpClient
  readonly rateLimiter?: RateLimiter
  readonly log?: (call: AzureCall) => void
  /** Minimum milliseconds between two reads of resources in progress in one group; default 1,000. */
  readonly readEveryMs?: number
}

export interface AzureClients {
  readonly subscriptionId: string
  readonly compute: ComputeManagementClient
  readonly network: NetworkManagementClient
  /** Client for the networks of a subscription. */
  networkIn(subscriptionId: string): NetworkManagementClient
  readonly resources: ResourceManagementClient
  readonly marketplace: MarketplaceOrderingAgreements
}

const PUBLIC_CLOUD = 'https://management.azure.com'

export function clientOptions(settings: AzureSettings) {
  const { endpoint = PUBLIC_CLOUD, emulatorUrl } = settings
  const socket = createDefaultHttpClient()
  const target = emulatorUrl === undefined ? socket : forwardTo(emulatorUrl, socket)
  const wire = settings.log === undefined ? target : logged(target, settings.log)
  const watched = settings.http === undefined ? wire : settings.http(wire)
  const paced = settings.rateLimiter === undefined ? watched : rateLimited(watched, settings.rateLimiter)
  return {
    endpoint,
    httpClient: withRegistration(paced, settings.subscriptionId),
    // The reconciler schedules retries. Retries in the SDK would hide throttling from the reconciler and use up its
    // lease.
    retryOptions: { maxRetries: 0 },
    userAgentOptions: { userAgentPrefix: 'trainyard' },
  }
}

export function azureClients(settings: AzureSettings): AzureClients {
  const { subscriptionId, credential } = settings
  const options = clientOptions(settings)
  const networkIn = (id: string) => withCheckedNames(new NetworkManagementClient(credential, id, options))
  return {
    subscriptionId,
    compute: withCheckedNames(new ComputeManagementClient(credential, subscriptionId, options)),
    network: networkIn(subscriptionId),
    networkIn,
    resources: withCheckedNames(new ResourceManagementClient(credential, subscriptionId, options)),
    marketplace: withCheckedNames(new MarketplaceOrderingAgreements(credential, subscriptionId, options)),
  }
}
