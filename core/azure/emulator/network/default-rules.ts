interface DefaultRule {
  name: string
  description: string
  from: string
  to: string
  access: 'Allow' | 'Deny'
  priority: number
  direction: 'Inbound' | 'Outbound'
}

const rules: readonly DefaultRule[] = [
  {
    name: 'AllowVnetInBound',
    description: 'Allow inbound traffic from all VMs in VNET',
    from: 'VirtualNetwork',
    to: 'VirtualNetwork',
    access: 'Allow',
    priority: 65_000,
    direction: 'Inbound',
  },
  {
    name: 'AllowAzureLoadBalancerInBound',
    description: 'Allow inbound traffic from azure load balancer',
    from: 'AzureLoadBalancer',
    to: '*',
    access: 'Allow',
    priority: 65_001,
    direction: 'Inbound',
  },
  {
    name: 'DenyAllInBound',
    description: 'Deny all inbound traffic',
    from: '*',
    to: '*',
    access: 'Deny',
    priority: 65_500,
    direction: 'Inbound',
  },
  {
    name: 'AllowVnetOutBound',
    description: 'Allow outbound traffic from all VMs to all VMs in VNET',
    from: 'VirtualNetwork',
    to: 'VirtualNetwork',
    access: 'Allow',
    priority: 65_000,
    direction: 'Outbound',
  },
  {
    name: 'AllowInternetOutBound',
    description: 'Allow outbound traffic from all VMs to Internet',
    from: '*',
    to: 'Internet',
    access: 'Allow',
    priority: 65_001,
    direction: 'Outbound',
  },
  {
    name: 'DenyAllOutBound',
    description: 'Deny all outbound traffic',
    from: '*',
    to: '*',
    access: 'Deny',
    priority: 65_500,
    direction: 'Outbound',
  },
]

/** Azure adds these to every rule. They are empty in rules with a single range or prefix. */
export const emptyRanges = {
  sourcePortRanges: [],
  destinationPortRanges: [],
  sourceAddressPrefixes: [],
  destinationAddressPrefixes: [],
} as const

export function defaultRules(securityGroupId: string, etag: string): unknown[] {
  return rules.map((rule) => ({
    id: `${securityGroupId}/defaultSecurityRules/${rule.name}`,
    name: rule.name,
    etag,
    type: 'Microsoft.Network/networkSecurityGroups/defaultSecurityRules',
    properties: {
      provisioningState: 'Succeeded',
      description: rule.description,
      protocol: '*',
      sourcePortRange: '*',
      destinationPortRange: '*',
      sourceAddressPrefix: rule.from,
      destinationAddressPrefix: rule.to,
      access: rule.access,
      priority: rule.priority,
      direction: rule.direction,
      ...emptyRanges,
    },
  }))
}
