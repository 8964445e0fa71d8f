import { z } from 'zod'
import { type AzureTags, parseTags, tagsProblem } from '@trainyard/platform/contract/words/azure-tags.ts'
import { isPrivatePrefix } from '@trainyard/platform/contract/words/network.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { allOrNone, text, uuid, domain, count, secret } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly azure: AzureSettings
  }
  interface Secrets {
    readonly azureCredential: AzureCredential
  }
}

const areTags = (list: string): boolean => {
  const tags = parseTags(list.replaceAll(',', '\n'))
  return tags !== null && tagsProblem(tags) === null
}

const variables = {
  AZURE_SUBSCRIPTION_ID: uuid
    .optional()
    .describe('The real Azure, with tenant, client and one of the four credentials. Default: the emulator.'),
  AZURE_TENANT_ID: uuid.optional().describe('Tenant of the subscription.'),
  AZURE_CLIENT_ID: uuid.optional().describe('Client ID of the app registration or the managed identity.'),
  AZURE_CLIENT_SECRET: secret(text.optional()).describe('Credential: client secret of the app registration.'),
  AZURE_CLIENT_CERTIFICATE_PATH: text
    .optional()
    .describe('Credential: PEM file with a certificate and its RSA private key.'),
  AZURE_CLIENT_CERTIFICATE_PASSWORD: secret(text.optional()).describe(
    'Password of the key in that file, if it is encrypted.',
  ),
  AZURE_FEDERATED_TOKEN_FILE: text
    .optional()
    .describe('Credential: file with a token of another identity provider, such as Kubernetes.'),
  AZURE_MANAGED_IDENTITY: z
    .enum(['system', 'user'], 'must be system or user')
    .optional()
    .describe('Credential: `system` or `user`, the managed identity of the Azure host on which the portal runs.'),
  AZURE_NETWORK_RANGE: text
    .refine(
      (value) => isPrivatePrefix(value) && value.endsWith('/16'),
      'must be a private range of /16, like 10.20.0.0/16',
    )
    .default('10.0.0.0/16')
    .describe(
      'Private address range of /16 for virtual networks that the portal creates. Choose one that no peered network uses.',
    ),
  AZURE_LAB_DOMAIN: domain('labs.example.com')
    .optional()
    .describe(
      'Verified domain of the directory in which Azure lab users are created. Default: no lab users; with the emulator labs.test.',
    ),
  AZURE_LAB_SANDBOX_LIMIT: count
    .optional()
    .describe(
      'Maximum number of sandboxes of one Azure lab user at a time. Default: at most 100, as long as credits are left.',
    ),
  AZURE_LAB_SANDBOX_TAGS: text
    .refine(areTags, 'must be tags like CostCentre=4711,Owner=labs')
    .optional()
    .describe("Tags of every sandbox's resource group, such as `CostCentre=4711,Owner=labs`."),
}
type Environment = z.output<z.ZodObject<typeof variables>>

/** Credential that proves the portal's identity to Entra. */
export type AzureCredential =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'certificate'; readonly path: string; readonly password: string | null }
  | { readonly kind: 'federated'; readonly tokenFile: string }
  | { readonly kind: 'managed'; readonly assigned: 'system' | 'user' }

export interface AzureSettings {
  readonly emulated: boolean
  /** True if calls respect Azure's rate limits; false only for an emulator without latency, in tests. */
  readonly isThrottled: boolean
  readonly subscriptionId: string
  readonly tenantId: string
  readonly clientId: string
  readonly resourceManager: string
  readonly authority: string
  readonly portalUrl: string
  /** Address range of virtual networks that the portal creates. */
  readonly networkRange: string
  /** Verified domain of the directory in which lab users sign in; null: not configured, so there are no lab users. */
  readonly labDomain: string | null
  readonly sandboxLimit: number | null
  readonly sandboxTags: AzureTags
}

const NAMES = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'] as const
const CREDENTIALS = [
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE_PATH',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_MANAGED_IDENTITY',
] as const

const EMULATED = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-000000000003',
  clientSecret: 'emulated',
  labDomain: 'labs.test',
}

export const azure = settings({
  variables,
  machines: true,
  read(env, { emulatorUrl, emulatorLatency }) {
    const settings = azureSettings(env, { emulatorUrl, emulatorLatency })
    return {
      config: { azure: settings },
      secrets: { azureCredential: azureCredentialIn(env) },
      emulated: settings.emulated,
    }
  },
})

function azureSettings(
  env: Environment,
  { emulatorUrl, emulatorLatency }: { readonly emulatorUrl: string; readonly emulatorLatency: number },
): AzureSettings {
  const emulated = !allOrNone(env, 'Azure', [...NAMES, credentialName(env)])
  return {
    emulated,
    isThrottled: !emulated || emulatorLatency > 0,
    subscriptionId: env.AZURE_SUBSCRIPTION_ID ?? EMULATED.subscriptionId,
    tenantId: env.AZURE_TENANT_ID ?? EMULATED.tenantId,
    clientId: env.AZURE_CLIENT_ID ?? EMULATED.clientId,
    resourceManager: emulated ? emulatorUrl : 'https://management.azure.com',
    authority: emulated ? emulatorUrl : 'https://login.microsoftonline.com',
    portalUrl: emulated ? `${emulatorUrl}/portal` : 'https://portal.azure.com',
    networkRange: env.AZURE_NETWORK_RANGE,
    labDomain: env.AZURE_LAB_DOMAIN ?? (emulated ? EMULATED.labDomain : null),
    sandboxLimit: env.AZURE_LAB_SANDBOX_LIMIT ?? null,
    sandboxTags: tagsIn(env.AZURE_LAB_SANDBOX_TAGS),
  }
}

/** @throws ConfigError if several credentials are set, or a password without its certificate */
function credentialName(env: Environment): (typeof CREDENTIALS)[number] {
  const provided = CREDENTIALS.filter((name) => env[name] !== undefined)
  if (provided.length > 1) throw new ConfigError(`Set only one of ${provided.join(', ')}.`)
  if (env.AZURE_CLIENT_CERTIFICATE_PASSWORD !== undefined && env.AZURE_CLIENT_CERTIFICATE_PATH === undefined) {
    throw new ConfigError('AZURE_CLIENT_CERTIFICATE_PATH must be set with AZURE_CLIENT_CERTIFICATE_PASSWORD.')
  }
  return provided[0] ?? 'AZURE_CLIENT_SECRET'
}

function azureCredentialIn(env: Environment): AzureCredential {
  if (env.AZURE_CLIENT_CERTIFICATE_PATH !== undefined) {
    const password = env.AZURE_CLIENT_CERTIFICATE_PASSWORD ?? null
    return { kind: 'certificate', path: env.AZURE_CLIENT_CERTIFICATE_PATH, password }
  }
  if (env.AZURE_FEDERATED_TOKEN_FILE !== undefined)
    return { kind: 'federated', tokenFile: env.AZURE_FEDERATED_TOKEN_FILE }
  if (env.AZURE_MANAGED_IDENTITY !== undefined) return { kind: 'managed', assigned: env.AZURE_MANAGED_IDENTITY }
  return { kind: 'secret', secret: env.AZURE_CLIENT_SECRET ?? EMULATED.clientSecret }
}

const tagsIn = (list: string | undefined): AzureTags => parseTags(list?.replaceAll(',', '\n') ?? '') ?? {}
