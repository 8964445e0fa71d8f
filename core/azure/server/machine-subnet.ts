import type { Subnet, VirtualNetwork } from '@azure/arm-network'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'

/** Name of the subnet in networks that the portal creates. */
export const MACHINE_SUBNET = 'default'

/** Subnets in which Azure allows no machines. Source: learn.microsoft.com, articles of each service. */
const RESERVED_SUBNETS = new Set([
  'gatewaysubnet',
  'azurebastionsubnet',
  'azurefirewallsubnet',
  'azurefirewallmanagementsubnet',
  'routeserversubnet',
])

/**
 * Returns the subnet for machines: the wanted one, otherwise the one named `default`, otherwise the first in which machines
 * are allowed.
 */
export function subnetFor(
  { name, subnets = [] }: VirtualNetwork,
  requestedName: string | null,
): Subnet & { readonly id: string } {
  const offered =
    requestedName === null
      ? subnets
      : subnets.filter((each) => each.name?.toLowerCase() === requestedName.toLowerCase())
  const allowed = offered.filter((subnet) => refusalOfSubnet(subnet) === null)
  const subnet = allowed.find((each) => each.name === MACHINE_SUBNET) ?? allowed[0]
  if (subnet?.id !== undefined) return { ...subnet, id: subnet.id }
  if (offered.length === 0) {
    throw new CloudError(
      'refused',
      `The virtual network ${name} has no subnet${requestedName === null ? '' : ` ${requestedName}`}.`,
    )
  }
  const reason = offered.map((each) => `${each.name} ${refusalOfSubnet(each) ?? 'has no ID'}`).join(', ')
  throw new CloudError(
    'refused',
    `The virtual network ${name} has no subnet for machines: ${reason}. Add a subnet in Azure, or enter another network in the VM card.`,
  )
}

/** Returns why machines cannot be in a subnet; null if they can. */
export function refusalOfSubnet({ name = '', delegations = [] }: Subnet): string | null {
  if (RESERVED_SUBNETS.has(name.toLowerCase())) return 'is reserved by Azure'
  const [delegation] = delegations
  return delegation === undefined ? null : `is delegated to ${delegation.serviceName ?? 'another service'}`
}
