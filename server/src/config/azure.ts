import { allOrNone, type Environment } from './environment.ts'

export interface AzureSettings {
  readonly emulated: boolean
  readonly subscriptionId: string
  readonly tenantId: string
  readonly clientId: string
  /** Base addresses of the resource manager and of the sign-in service. */
  readonly resourceManager: string
  readonly authority: string
  /** Where people find Azure's portal. */
  readonly portalUrl: string
  /** Verified domain of the directory that lab users sign in with; null: none was set, and there are none. */
  readonly labDomain: string | null
  /** How many sandboxes a lab user may have at a time; null: as many as they like. */
  readonly sandboxLimit: number | null
}

const NAMES = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'] as const

/** The one subscription and the one client that the emulator accepts; nothing of them is worth stealing. */
const EMULATED = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-000000000003',
  clientSecret: 'emulated',
  labDomain: 'labs.test',
}

/** Azure is the emulator's until all that leads to a real one is set. */
export function azureSettings(e: Environment, emulatorUrl: string): AzureSettings {
  const emulated = !allOrNone(e, 'Azure', NAMES)
  return {
    emulated,
    subscriptionId: e.AZURE_SUBSCRIPTION_ID ?? EMULATED.subscriptionId,
    tenantId: e.AZURE_TENANT_ID ?? EMULATED.tenantId,
    clientId: e.AZURE_CLIENT_ID ?? EMULATED.clientId,
    resourceManager: emulated ? emulatorUrl : 'https://management.azure.com',
    authority: emulated ? emulatorUrl : 'https://login.microsoftonline.com',
    portalUrl: emulated ? `${emulatorUrl}/portal` : 'https://portal.azure.com',
    labDomain: e.AZURE_LAB_DOMAIN ?? (emulated ? EMULATED.labDomain : null),
    sandboxLimit: e.AZURE_LAB_SANDBOX_LIMIT ?? null,
  }
}

export const azureClientSecret = (e: Environment): string => e.AZURE_CLIENT_SECRET ?? EMULATED.clientSecret
