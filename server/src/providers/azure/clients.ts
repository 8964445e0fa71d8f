import { ComputeManagementClient } from '@azure/arm-compute'
import { MarketplaceOrderingAgreements } from '@azure/arm-marketplaceordering'
import { NetworkManagementClient } from '@azure/arm-network'
import { ResourceManagementClient } from '@azure/arm-resources'
import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline'
import type { TokenCredential } from '@azure/identity'
import type { CallGate } from '../call-gate.ts'
import { gated } from './gated.ts'
import { logged, type AzureCall } from './call-log.ts'
import { forwardTo } from './forward.ts'
import { inPlace } from './in-place.ts'
import { registering } from './registering.ts'

/** Where the official SDK finds Azure, and as whom. */
export interface AzureSettings {
  readonly subscriptionId: string
  readonly credential: TokenCredential
  /** Azure Resource Manager's own address; the public cloud's when left out. */
  readonly endpoint?: string
  /** Base address of a server that speaks the same protocol (`http://127.0.0.1:4010`): requests go there instead. */
  readonly emulatorUrl?: string
  /** Stands between the SDK and the wire: sees every request and reply as they are. */
  readonly http?: (wire: HttpClient) => HttpClient
  /** Lets requests through no faster than Azure takes them; without one they go as they come. */
  readonly gate?: CallGate
  /** Told of every request once it is over. */
  readonly log?: (call: AzureCall) => void
  /** Milliseconds between two looks at what is being made in one group; a second when left out. */
  readonly lookEveryMs?: number
}

export interface AzureClients {
  readonly subscriptionId: string
  readonly compute: ComputeManagementClient
  readonly network: NetworkManagementClient
  readonly resources: ResourceManagementClient
  readonly marketplace: MarketplaceOrderingAgreements
}

const PUBLIC_CLOUD = 'https://management.azure.com'

/** Returns the options that every client of the SDKs is made with. */
export function clientOptions(settings: AzureSettings) {
  const { endpoint = PUBLIC_CLOUD, emulatorUrl } = settings
  const socket = createDefaultHttpClient()
  const far = emulatorUrl === undefined ? socket : forwardTo(emulatorUrl, socket)
  const wire = settings.log === undefined ? far : logged(far, settings.log)
  const watched = settings.http === undefined ? wire : settings.http(wire)
  const paced = settings.gate === undefined ? watched : gated(watched, settings.gate)
  return {
    endpoint,
    httpClient: registering(paced, settings.subscriptionId),
    // The reconciler decides when to try again; a retry in here would hide throttling from it and hold its lease.
    retryOptions: { maxRetries: 0 },
    userAgentOptions: { userAgentPrefix: 'trainyard' },
  }
}

export function azureClients(settings: AzureSettings): AzureClients {
  const { subscriptionId, credential } = settings
  const options = clientOptions(settings)
  return {
    subscriptionId,
    compute: inPlace(new ComputeManagementClient(credential, subscriptionId, options)),
    network: inPlace(new NetworkManagementClient(credential, subscriptionId, options)),
    resources: inPlace(new ResourceManagementClient(credential, subscriptionId, options)),
    marketplace: inPlace(new MarketplaceOrderingAgreements(credential, subscriptionId, options)),
  }
}
