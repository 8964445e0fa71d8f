import type { Config, Secrets } from '../config.ts'
import type { AwsUsers } from '../providers/aws-users.ts'
import type { AwsConnection } from '../providers/aws/clients.ts'
import type { AzureSettings } from '../providers/azure/clients.ts'
import type { GraphSettings } from '../providers/graph/wire.ts'
import type { ConnectLabServices } from '../providers/lab-services.ts'
import { egressFetch } from '../providers/egress.ts'
import type { Payments } from '../providers/payments.ts'
import { razorpayPayments } from '../providers/razorpay/payments.ts'
import type { AzureLabs } from '../worker/parts.ts'

/**
 * Returns the payment provider. The API calls it directly, while the user waits for the order ID: docs/decisions/030.
 */
export function paymentsOf(config: Config, secrets: Secrets): Payments | null {
  if (config.payments === null) return null
  const { razorpayKeySecret: keySecret, razorpayWebhookSecret: webhookSecret } = secrets
  return razorpayPayments({ ...config.payments, keySecret, webhookSecret, send: egressFetch(secrets.egressProxy) })
}

export function awsConnectionOf(
  { aws, emulator }: Config,
  { awsCredentials, egressProxy }: Secrets,
): AwsConnection | null {
  if (awsCredentials === null) return null
  return {
    ...aws,
    credentials: awsCredentials,
    send: egressFetch(egressProxy),
    ...(aws.emulated ? { endpoint: emulator.url } : {}),
  }
}

export async function awsOf(
  config: Config,
  secrets: Secrets,
  overrides?: Partial<AwsConnection>,
): Promise<AwsUsers | null> {
  const connection = awsConnectionOf(config, secrets)
  if (connection === null) return null
  const { awsUsers } = await import('../providers/aws/users.ts')
  return awsUsers({ ...config.aws, ...connection, ...overrides })
}

/** Returns the connection to Azure or to the emulator. The credential is read on first use. */
export async function azureSettingsOf(
  { azure, emulator }: Config,
  { azureCredential: proof, egressProxy }: Secrets,
): Promise<AzureSettings & GraphSettings> {
  const { azureCredential, emulatorCredential } = await import('../providers/azure/credentials.ts')
  return {
    subscriptionId: azure.subscriptionId,
    networkRange: azure.networkRange,
    send: egressFetch(egressProxy),
    credential: azure.emulated ? emulatorCredential() : azureCredential({ ...azure, proof }),
    ...(azure.emulated ? { emulatorUrl: emulator.url } : { endpoint: azure.resourceManager }),
  }
}

/**
 * Connects to the labs of a subscription, as the portal or as the app registration that a user entered for an import.
 */
export async function labServicesOf(
  { azure }: Config,
  { emulatorUrl, endpoint, http, credential }: AzureSettings,
): Promise<ConnectLabServices> {
  const [{ azureLabServices }, { azureCredential }] = await Promise.all([
    import('../providers/azure-labs/labs.ts'),
    import('../providers/azure/credentials.ts'),
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

export async function azureLabsOf(
  settings: AzureSettings & GraphSettings,
  { azure }: Pick<Config, 'azure'>,
): Promise<AzureLabs> {
  const [{ graphIdentity }, { azureSandboxes }] = await Promise.all([
    import('../providers/graph/identity.ts'),
    import('../providers/azure-sandbox/groups.ts'),
  ])
  return { identity: graphIdentity(settings), groups: azureSandboxes(settings, azure.sandboxTags) }
}
