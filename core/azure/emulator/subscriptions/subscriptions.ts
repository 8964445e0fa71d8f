import type { AzureCloud } from '../cloud.ts'
import { param, versions, type Operation } from '../arm/operation.ts'

export const DEFAULT_TENANT_ID = '00000000-0000-4000-8000-000000000002'

export const subscriptionStates = ['Enabled', 'Warned', 'PastDue', 'Disabled', 'Deleted'] as const

export function setSubscription(
  { settings }: AzureCloud,
  { tenantId, state }: { readonly tenantId: string; readonly state: (typeof subscriptionStates)[number] },
): void {
  settings.write('subscription.tenant', tenantId)
  settings.write('subscription.state', state)
}

/** Returns the operation that reads a subscription. The emulator treats every GUID as an existing subscription. */
export function subscriptionOperations({ settings }: AzureCloud): Operation[] {
  return [
    {
      name: 'Subscriptions_Get',
      method: 'GET',
      path: '/subscriptions/:subscription',
      versions: versions.subscriptions,
      handle: (call) => {
        const subscription = param(call, 'subscription')
        return {
          status: 200,
          body: {
            id: `/subscriptions/${subscription}`,
            subscriptionId: subscription,
            tenantId: settings.read('subscription.tenant') ?? DEFAULT_TENANT_ID,
            displayName: 'Emulated subscription',
            state: settings.read('subscription.state') ?? 'Enabled',
            subscriptionPolicies: {
              locationPlacementId: 'Public_2014-09-01',
              quotaId: 'PayAsYouGo_2014-09-01',
              spendingLimit: 'Off',
            },
            authorizationSource: 'RoleBased',
            managedByTenants: [],
          },
        }
      },
    },
  ]
}
