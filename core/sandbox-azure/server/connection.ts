import type { Config } from '@trainyard/platform/server/config/config.ts'
import type { AzureConnection } from '@trainyard/azure/server/connection.ts'
import type { Identity } from './identity-provider.ts'
import type { SandboxGroups } from './sandbox-groups.ts'

export interface AzureLabs {
  readonly identity: Identity
  readonly groups: SandboxGroups
}

export async function azureLabsOf(settings: AzureConnection, { azure }: Pick<Config, 'azure'>): Promise<AzureLabs> {
  const [{ graphIdentity }, { azureSandboxes }] = await Promise.all([import('./identity.ts'), import('./groups.ts')])
  return { identity: graphIdentity(settings), groups: azureSandboxes(settings, azure.sandboxTags) }
}
