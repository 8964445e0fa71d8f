import { AuthorizationManagementClient } from '@azure/arm-authorization'
import { ComputeManagementClient } from '@azure/arm-compute'
import { PolicyClient } from '@azure/arm-policy'
import { ResourceManagementClient } from '@azure/arm-resources'
import { type AzureSettings, clientOptions } from '@trainyard/azure/server/clients.ts'
import { withCheckedNames, checkedName } from '@trainyard/azure/server/checked-names.ts'

export interface SandboxClients {
  readonly subscriptionId: string
  readonly resources: ResourceManagementClient
  readonly authorization: AuthorizationManagementClient
  readonly policy: PolicyClient
  readonly compute: ComputeManagementClient
}

export function sandboxClients(settings: AzureSettings): SandboxClients {
  const { subscriptionId, credential } = settings
  const options = clientOptions(settings)
  return {
    subscriptionId,
    resources: withCheckedNames(new ResourceManagementClient(credential, subscriptionId, options)),
    authorization: withCheckedNames(new AuthorizationManagementClient(credential, subscriptionId, options)),
    policy: withCheckedNames(new PolicyClient(credential, subscriptionId, options)),
    compute: withCheckedNames(new ComputeManagementClient(credential, subscriptionId, options)),
  }
}

export const groupScope = (subscriptionId: string, group: string): string =>
  `subscriptions/${subscriptionId}/resourceGroups/${checkedName(group)}`
