import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import type { AzureSettings } from './clients.ts'

export type AzureConnection = AzureSettings & { readonly send?: typeof fetch }

/** Returns the connection to Azure or to the emulator. The credential is read on first use. */
export async function azureConnectionOf(
  { azure, emulator }: Config,
  { azureCredential: proof, egressProxy }: Secrets,
): Promise<AzureConnection> {
  const { azureCredential, emulatorCredential } = await import('./credentials.ts')
  return {
    subscriptionId: azure.subscriptionId,
    networkRange: azure.networkRange,
    send: egressFetch(egressProxy),
    credential: azure.emulated ? emulatorCredential() : azureCredential({ ...azure, proof }),
    ...(azure.emulated ? { emulatorUrl: emulator.url } : { endpoint: azure.resourceManager }),
  }
}
