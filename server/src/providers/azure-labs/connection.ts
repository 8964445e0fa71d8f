import type { Config } from '../../config.ts'
import type { AzureSettings } from '../azure/clients.ts'
import type { ConnectLabServices } from '../lab-services.ts'

/**
 * Connects to the labs of a subscription, as the portal or as the app registration that a user entered for an import.
 */
export async function labServicesOf(
  { azure }: Config,
  { emulatorUrl, endpoint, http, credential }: AzureSettings,
): Promise<ConnectLabServices> {
  const [{ azureLabServices }, { azureCredential }] = await Promise.all([
    import('./labs.ts'),
    import('../azure/credentials.ts'),
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
