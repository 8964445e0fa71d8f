import { param, versions, type Operation } from '#src/azure/arm/operation.ts'

/** Every subscription id in the right shape is one of the emulator's subscriptions. */
export function subscriptionOperations(): Operation[] {
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
            tenantId: '00000000-0000-4000-8000-000000000002',
            displayName: 'Emulated subscription',
            state: 'Enabled',
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
