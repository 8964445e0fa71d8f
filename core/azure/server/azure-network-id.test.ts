import { expect, test } from 'vitest'
import { AZURE_NETWORK_PATTERN } from '@trainyard/templates/contract/azure-network.ts'
import { parseAzureNetworkId } from './azure-network-id.ts'

const SUBSCRIPTION = '00000000-0000-4000-8000-00000000000A'
const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/hub-network/providers/Microsoft.Network/virtualNetworks/hub`
const parts = { subscriptionId: SUBSCRIPTION, resourceGroup: 'hub-network', name: 'hub' }

test.each([
  [NETWORK, { ...parts, subnet: null }],
  [`${NETWORK}/subnets/labs`, { ...parts, subnet: 'labs' }],
  [NETWORK.replace('resourceGroups', 'resourcegroups').replace('M', 'm'), { ...parts, subnet: null }],
  ['hub', null],
])('reads %s', (network, expected) => {
  expect(AZURE_NETWORK_PATTERN.test(network)).toBe(true)
  expect(parseAzureNetworkId(network)).toEqual(expected)
})

test.each([
  '',
  'hub/subnets/labs',
  `${NETWORK}/subnets/`,
  `${NETWORK}/subnets/labs/more`,
  NETWORK.replace('hub-network', '..'.padEnd(91, 'a')),
  NETWORK.replace(SUBSCRIPTION, 'mine'),
  NETWORK.replace('Microsoft.Network', 'Microsoft.Compute'),
  `${NETWORK}?api-version=1`,
])('rejects %s', (network) => {
  expect(AZURE_NETWORK_PATTERN.test(network)).toBe(false)
  expect(parseAzureNetworkId(network)).toBeNull()
})
