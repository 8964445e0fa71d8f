import type { Config } from '../../config.ts'
import type { AzureConnection } from '../azure/connection.ts'
import type { Identity } from '../identity.ts'
import type { SandboxGroups } from '../sandbox-groups.ts'

export interface AzureLabs {
  readonly identity: Identity
  readonly groups: SandboxGroups
}

export async function azureLabsOf(settings: AzureConnection, { azure }: Pick<Config, 'azure'>): Promise<AzureLabs> {
  const [{ graphIdentity }, { azureSandboxes }] = await Promise.all([
    import('../graph/identity.ts'),
    import('./groups.ts'),
  ])
  return { identity: graphIdentity(settings), groups: azureSandboxes(settings, azure.sandboxTags) }
}
