import type { Config } from '@trainyard/platform/server/config/config.ts'
import type { AzureSettings } from '@trainyard/azure/server/clients.ts'
import type { ConnectLabServices } from './lab-services-provider.ts'

/**
 * Connects to the labs of a subscription, as the portal or as the app registration that a user entered for an import.
 */
export async function labServicesOf(
  { azure }: Config,
  { emulatorUrl, endpoint, http, credential }: AzureSettings,
): Promise<ConnectLabServices> {
  const [{ azureLabServices }, { azureCredential }] = await Promise.all([
    import('./labs.ts'),
    import('@trainyard/azure/server/credentials.ts'),
  ])
  return (subscriptionId, signIn) =>
    azureLabServices({
      subscriptionId,
      // The emulator accepts any token.
      credential:
        signIn === null || azure.emulated
          ? credential
          : azureCredential({
              ...signIn,
              proof: { kind: 'secret', secret: signIn.clientSecret },
              authority: azure.authority,
              isUsers: true,
            }),
      ...(emulatorUrl === undefined ? {} : { emulatorUrl }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(http === undefined ? {} : { http }),
    })
}
