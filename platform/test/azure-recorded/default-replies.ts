import { ABSENT, type DefaultReplies, type Reply } from './replaying-provider.ts'

const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000000'
const GROUP = `${SUBSCRIPTION}/resourceGroups/labs`
const NETWORK = `${GROUP}/providers/Microsoft.Network`
const COMPUTE = `${GROUP}/providers/Microsoft.Compute`

const done = (id: string, overrides: object = {}): Reply => ({
  status: 200,
  body: {
    id,
    name: id.slice(id.lastIndexOf('/') + 1),
    location: 'westus2',
    properties: { provisioningState: 'Succeeded', ...overrides },
  },
})

const ACCEPTED: Reply = { status: 202 }
const EMPTY_LIST: Reply = { status: 200, body: { value: [] } }

export const OUR_RULE = {
  name: 'trainyard-port-8080',
  properties: { access: 'Allow', direction: 'Inbound', priority: 1001, destinationPortRange: '8080' },
}

/** Default responses: every resource exists and no operation is in progress. */
export const DEFAULT_REPLIES: DefaultReplies = {
  'GET resourceGroups': [done(GROUP)],
  'PUT resourceGroups': [done(GROUP)],
  'DELETE resourceGroups': [ACCEPTED],
  'GET resources list': [EMPTY_LIST],
  'GET virtualNetworks': [
    done(`${NETWORK}/virtualNetworks/labs`, {
      subnets: [{ id: `${NETWORK}/virtualNetworks/labs/subnets/default`, name: 'default' }],
    }),
  ],
  'PUT virtualNetworks': [done(`${NETWORK}/virtualNetworks/labs`)],
  'GET networkSecurityGroups': [
    done(`${NETWORK}/networkSecurityGroups/ports`, { securityRules: [{ name: 'trainyard-ssh' }] }),
  ],
  'PUT networkSecurityGroups': [done(`${NETWORK}/networkSecurityGroups/ports`)],
  'DELETE networkSecurityGroups': [ACCEPTED],
  'PUT networkSecurityGroups/securityRules': [done(`${NETWORK}/networkSecurityGroups/ports/securityRules/one`)],
  'DELETE networkSecurityGroups/securityRules': [ACCEPTED],
  'GET publicIPAddresses': [done(`${NETWORK}/publicIPAddresses/lab-1-ip`)],
  'PUT publicIPAddresses': [done(`${NETWORK}/publicIPAddresses/lab-1-ip`)],
  'DELETE publicIPAddresses': [ACCEPTED],
  'GET networkInterfaces': [done(`${NETWORK}/networkInterfaces/lab-1-nic`)],
  'PUT networkInterfaces': [done(`${NETWORK}/networkInterfaces/lab-1-nic`)],
  'DELETE networkInterfaces': [ACCEPTED],
  'GET virtualMachines': [done(`${COMPUTE}/virtualMachines/lab-1`)],
  'GET virtualMachines list': [EMPTY_LIST],
  'GET virtualMachines/instanceView list': [{ status: 200, body: { statuses: [] } }],
  'PUT virtualMachines': [done(`${COMPUTE}/virtualMachines/lab-1`)],
  'DELETE virtualMachines': [ACCEPTED],
  'GET virtualMachines/extensions': [ABSENT],
  'PUT virtualMachines/extensions': [done(`${COMPUTE}/virtualMachines/lab-1/extensions/trainyard-password`)],
  'GET disks': [done(`${COMPUTE}/disks/lab-1-os`)],
  'GET disks list': [EMPTY_LIST],
  'DELETE disks': [ACCEPTED],
  'GET galleries': [done(`${COMPUTE}/galleries/g`)],
  'PUT galleries': [done(`${COMPUTE}/galleries/g`)],
  'GET galleries/images': [done(`${COMPUTE}/galleries/g/images/i`)],
  'PUT galleries/images': [done(`${COMPUTE}/galleries/g/images/i`)],
  'DELETE galleries/images': [ACCEPTED],
  'GET galleries/images/versions': [ABSENT],
  'PUT galleries/images/versions': [done(`${COMPUTE}/galleries/g/images/i/versions/1.0.0`)],
  'DELETE galleries/images/versions': [ACCEPTED],
  'GET skus list': [EMPTY_LIST],
  'GET locations/usages list': [EMPTY_LIST],
  'GET roleAssignments list': [EMPTY_LIST],
  'PUT roleAssignments': [{ status: 201, body: {} }],
  'DELETE roleAssignments': [{ status: 200, body: {} }],
  'PUT policyAssignments': [{ status: 201, body: {} }],
  'GET users list': [EMPTY_LIST],
  'GET users': [{ status: 404, body: { error: { code: 'Request_ResourceNotFound', message: 'Not found.' } } }],
  'PATCH users': [{ status: 204 }],
  'POST users/revokeSignInSessions': [{ status: 200, body: { value: true } }],
  'DELETE users': [{ status: 204 }],
  'GET deletedItems': [{ status: 404, body: { error: { code: 'Request_ResourceNotFound', message: 'Not found.' } } }],
  'DELETE deletedItems': [{ status: 204 }],
}

/** The group's list of role assignments with one surplus assignment. */
export const A_ROLE: Reply = {
  status: 200,
  body: { value: [{ name: '00000000-0000-4000-8000-00000000000a', properties: { scope: GROUP } }] },
}
