import type { Permission } from '../providers/cloud-diagnosis.ts'

/** Actions of a kind of resource: `read`, `write`, `join/action`. */
const of = (type: string, ...actions: readonly string[]): string[] => actions.map((action) => `${type}/${action}`)

/** The actions of the portal in a resource group of machines. */
export const MACHINE_ACTIONS: readonly string[] = [
  ...of('Microsoft.Resources/subscriptions/resourceGroups', 'read'),
  ...of('Microsoft.Compute/virtualMachines', 'read', 'write', 'delete'),
  ...of('Microsoft.Compute/virtualMachines', 'start/action', 'deallocate/action', 'restart/action'),
  ...of('Microsoft.Compute/virtualMachines/instanceView', 'read'),
  ...of('Microsoft.Compute/virtualMachines/extensions', 'read', 'write', 'delete'),
  ...of('Microsoft.Compute/disks', 'read', 'write', 'delete'),
  ...of('Microsoft.Compute/galleries', 'read', 'write'),
  ...of('Microsoft.Compute/galleries/images', 'read', 'write', 'delete'),
  ...of('Microsoft.Compute/galleries/images/versions', 'read', 'write', 'delete'),
  ...of('Microsoft.Network/virtualNetworks', 'read', 'write'),
  ...of('Microsoft.Network/virtualNetworks/subnets', 'read', 'join/action'),
  ...of('Microsoft.Network/networkInterfaces', 'read', 'write', 'delete', 'join/action'),
  ...of('Microsoft.Network/publicIPAddresses', 'read', 'write', 'delete', 'join/action'),
  ...of('Microsoft.Network/networkSecurityGroups', 'read', 'write', 'delete', 'join/action'),
  ...of('Microsoft.Network/networkSecurityGroups/securityRules', 'read', 'write', 'delete'),
]

/** The actions of the portal on the subscription itself. */
export const SUBSCRIPTION_ACTIONS: readonly string[] = [
  ...of('Microsoft.Compute/virtualMachines', 'read'),
  ...of('Microsoft.Compute/skus', 'read'),
  ...of('Microsoft.Compute/locations/usages', 'read'),
  ...of('Microsoft.Compute/locations/publishers/artifacttypes/offers/skus/versions', 'read'),
  // Measurements of many machines at once are of the subscription: a role in their group is not enough.
  ...of('Microsoft.Insights/metrics', 'read'),
  ...of('Microsoft.MarketplaceOrdering/offertypes/publishers/offers/plans/agreements', 'read'),
]

/** The actions that making a template's group takes, where there is none yet. */
export const GROUP_ACTIONS: readonly string[] = of('Microsoft.Resources/subscriptions/resourceGroups', 'write')

/** The actions that sandboxes take: groups of their own, with their user's role and the policy on sizes. */
export const SANDBOX_ACTIONS: readonly string[] = [
  ...of('Microsoft.Resources/subscriptions/resourceGroups', 'read', 'write', 'delete'),
  ...of('Microsoft.Resources/subscriptions/resourceGroups/resources', 'read'),
  ...of('Microsoft.Authorization/roleAssignments', 'read', 'write', 'delete'),
  ...of('Microsoft.Authorization/policyAssignments', 'read', 'write'),
  ...of('Microsoft.Compute/virtualMachines', 'read', 'deallocate/action'),
  ...of('Microsoft.Compute/virtualMachines/instanceView', 'read'),
  ...of('Microsoft.Compute/disks', 'read'),
]

/** Those of the actions that no permission gives. What one takes away another may give: Azure adds roles up. */
export function lacking(actions: readonly string[], permissions: readonly Permission[]): string[] {
  return [...new Set(actions)].filter(
    (action) =>
      !permissions.some(
        (permission) =>
          permission.actions.some((pattern) => matches(pattern, action)) &&
          !permission.notActions.some((pattern) => matches(pattern, action)),
      ),
  )
}

function matches(pattern: string, action: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(action)
}
