import type { Permission } from './cloud-diagnosis.ts'
import type { Defect } from '@trainyard/platform/server/doctor/check.ts'
import { namesOf } from '@trainyard/machines/server/template-needs.ts'

const actionsOf = (type: string, ...actions: readonly string[]): string[] =>
  actions.map((action) => `${type}/${action}`)

export const MACHINE_ACTIONS: readonly string[] = [
  ...actionsOf('Microsoft.Resources/subscriptions/resourceGroups', 'read'),
  ...actionsOf('Microsoft.Compute/virtualMachines', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Compute/virtualMachines', 'start/action', 'deallocate/action', 'restart/action'),
  ...actionsOf('Microsoft.Compute/virtualMachines/instanceView', 'read'),
  ...actionsOf('Microsoft.Compute/virtualMachines/extensions', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Compute/disks', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Compute/galleries', 'read', 'write'),
  ...actionsOf('Microsoft.Compute/galleries/images', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Compute/galleries/images/versions', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Network/virtualNetworks', 'read', 'write'),
  ...actionsOf('Microsoft.Network/virtualNetworks/subnets', 'read', 'join/action'),
  ...actionsOf('Microsoft.Network/networkInterfaces', 'read', 'write', 'delete', 'join/action'),
  ...actionsOf('Microsoft.Network/publicIPAddresses', 'read', 'write', 'delete', 'join/action'),
  ...actionsOf('Microsoft.Network/networkSecurityGroups', 'read', 'write', 'delete', 'join/action'),
  ...actionsOf('Microsoft.Network/networkSecurityGroups/securityRules', 'read', 'write', 'delete'),
]

export const SUBSCRIPTION_ACTIONS: readonly string[] = [
  ...actionsOf('Microsoft.Compute/virtualMachines', 'read'),
  ...actionsOf('Microsoft.Compute/skus', 'read'),
  ...actionsOf('Microsoft.Compute/locations/usages', 'read'),
  ...actionsOf('Microsoft.Compute/locations/publishers/artifacttypes/offers/skus/versions', 'read'),
  // The batch API for metrics of several machines requires the permission on the whole subscription.
  ...actionsOf('Microsoft.Insights/metrics', 'read'),
  ...actionsOf('Microsoft.Network/locations/usages', 'read'),
  ...actionsOf('Microsoft.MarketplaceOrdering/offertypes/publishers/offers/plans/agreements', 'read'),
]

export const GROUP_ACTIONS: readonly string[] = actionsOf('Microsoft.Resources/subscriptions/resourceGroups', 'write')

/** Actions on a virtual network that a template names by its resource ID, and on its subnet. */
export const NETWORK_ACTIONS: readonly string[] = actionsOf('Microsoft.Network/virtualNetworks', 'read')
export const SUBNET_ACTIONS: readonly string[] = actionsOf('Microsoft.Network/virtualNetworks/subnets', 'join/action')

export const SANDBOX_ACTIONS: readonly string[] = [
  ...actionsOf('Microsoft.Resources/subscriptions/resourceGroups', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Resources/subscriptions/resourceGroups/resources', 'read'),
  ...actionsOf('Microsoft.Authorization/roleAssignments', 'read', 'write', 'delete'),
  ...actionsOf('Microsoft.Authorization/policyAssignments', 'read', 'write'),
  ...actionsOf('Microsoft.Compute/virtualMachines', 'read', 'deallocate/action'),
  ...actionsOf('Microsoft.Compute/virtualMachines/instanceView', 'read'),
  ...actionsOf('Microsoft.Compute/disks', 'read'),
]

const CONTRIBUTOR =
  'Assign the app registration the role Contributor there. Sandboxes also need User Access Administrator and Resource Policy Contributor on the subscription.'

export function lackAt(
  scope: string,
  actions: readonly string[],
  permissions: readonly Permission[],
  todo = CONTRIBUTOR,
): Defect[] {
  const missing = missingActions(actions, permissions)
  return missing.length === 0 ? [] : [{ what: `At ${scope} the portal may not: ${namesOf(missing)}.`, todo }]
}

/**
 * Returns the actions that the roles do not grant. Azure combines the permissions of all roles: if one role excludes an
 * action, another role can still grant it.
 */
function missingActions(actions: readonly string[], permissions: readonly Permission[]): string[] {
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
