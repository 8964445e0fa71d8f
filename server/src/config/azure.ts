import { type AzureTags, parseTags } from '@trainyard/contract/words/azure-tags.ts'
import { allOrNone, type Environment } from './environment.ts'

export interface AzureSettings {
  readonly emulated: boolean
  /** True if calls keep to Azure's rate limits; false only for an emulator without latency, in tests. */
  readonly isThrottled: boolean
  readonly subscriptionId: string
  readonly tenantId: string
  readonly clientId: string
  readonly resourceManager: string
  readonly authority: string
  readonly portalUrl: string
  /** Verified domain of the directory in which lab users sign in; null: not configured, so there are no lab users. */
  readonly labDomain: string | null
  readonly sandboxLimit: number | null
  readonly sandboxTags: AzureTags
}

const NAMES = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'] as const

const EMULATED = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-000000000003',
  clientSecret: 'emulated',
  labDomain: 'labs.test',
}

export function azureSettings(e: Environment, emulatorUrl: string): AzureSettings {
  const emulated = !allOrNone(e, 'Azure', NAMES)
  return {
    emulated,
    isThrottled: !emulated || e.EMULATOR_LATENCY > 0,
    subscriptionId: e.AZURE_SUBSCRIPTION_ID ?? EMULATED.subscriptionId,
    tenantId: e.AZURE_TENANT_ID ?? EMULATED.tenantId,
    clientId: e.AZURE_CLIENT_ID ?? EMULATED.clientId,
    resourceManager: emulated ? emulatorUrl : 'https://management.azure.com',
    authority: emulated ? emulatorUrl : 'https://login.microsoftonline.com',
    portalUrl: emulated ? `${emulatorUrl}/portal` : 'https://portal.azure.com',
    labDomain: e.AZURE_LAB_DOMAIN ?? (emulated ? EMULATED.labDomain : null),
    sandboxLimit: e.AZURE_LAB_SANDBOX_LIMIT ?? null,
    sandboxTags: tagsIn(e.AZURE_LAB_SANDBOX_TAGS),
  }
}

export const azureClientSecret = (e: Environment): string => e.AZURE_CLIENT_SECRET ?? EMULATED.clientSecret

const tagsIn = (list: string | undefined): AzureTags => parseTags(list?.replaceAll(',', '\n') ?? '') ?? {}
