import { beforeEach, expect, test } from 'vitest'
import { startTestEmulator, inGroup, inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  address,
  addressBody,
  networkInterface,
  networkInterfaceBody,
  disk,
  securityGroup,
  machine,
  machineBody,
  network,
  openLab,
  putMachine,
} from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)
await putMachine(emulator, 'existing')
await emulator.arm('PUT', address('free'), addressBody)
await emulator.arm('PUT', networkInterface('free'), networkInterfaceBody('free'))
await emulator.arm('PUT', securityGroup('securityGroup'), { location: 'southindia' })
await emulator.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))
await publish('lab', 'basic')
await publish('0001-com-ubuntu-server-jammy', '22_04-lts-gen2')
beforeEach(async () => {
  await emulator.control('POST', '/_quotas', { cores: null })
})

async function publish(offer: string, sku: string, published = true): Promise<void> {
  const image = { publisher: 'acme', offer, sku, location: 'southindia', published }
  await emulator.control('POST', '/_images', image)
}

function rule(priority: number, direction = 'Inbound') {
  return {
    properties: {
      protocol: 'Tcp',
      access: 'Allow',
      direction,
      priority,
      sourceAddressPrefix: '*',
      sourcePortRange: '*',
      destinationAddressPrefix: '*',
      destinationPortRange: '22',
    },
  }
}

const missing = (type: string) => ({ id: `${inGroup}/providers/Microsoft.Network/${type}/none` })

const networkWith = (properties: object) => ({
  location: 'southindia',
  properties: { addressSpace: { addressPrefixes: ['10.1.0.0/16'] }, ...properties },
})

function bodyWith(change: (body: ReturnType<typeof machineBody>) => void): unknown {
  const body = machineBody('free')
  change(body)
  return body
}

const windows = {
  publisher: 'MicrosoftWindowsServer',
  offer: 'WindowsServer',
  sku: '2022-datacenter',
  version: 'latest',
}

test.each<[string, number, string, string, string, unknown]>([
  ['a missing group', 404, 'ResourceGroupNotFound', 'GET', `${inSubscription}/resourceGroups/none`, undefined],
  ['a missing machine', 404, 'ResourceNotFound', 'GET', machine('none'), undefined],
  ['a missing rule', 404, 'NotFound', 'GET', `${securityGroup('securityGroup')}/securityRules/none`, undefined],
  [
    'an unknown location',
    400,
    'LocationNotAvailableForResourceType',
    'PUT',
    address('x'),
    { ...addressBody, location: 'mars' },
  ],
  [
    'a change of location',
    409,
    'InvalidResourceLocation',
    'PUT',
    address('free'),
    { ...addressBody, location: 'eastus' },
  ],
  ['an invalid body', 400, 'InvalidRequestFormat', 'PUT', address('x'), { location: 'southindia', properties: 'no' }],
  [
    'a retired Basic address',
    400,
    'IPv4BasicSkuPublicIpCountLimitReached',
    'PUT',
    address('x'),
    { location: 'southindia' },
  ],
  [
    'a network without address space',
    400,
    'AddressSpacePrefixesNullOrEmpty',
    'PUT',
    network('x'),
    { location: 'southindia', properties: {} },
  ],
  [
    'a subnet outside its network',
    400,
    'NetcfgInvalidSubnet',
    'PUT',
    `${network('net')}/subnets/x`,
    { properties: { addressPrefix: '11.0.0.0/24' } },
  ],
  [
    'an overlapping subnet',
    400,
    'NetcfgSubnetRangesOverlap',
    'PUT',
    `${network('net')}/subnets/x`,
    { properties: { addressPrefix: '10.0.1.0/24' } },
  ],
  ['a network in use', 400, 'InUseSubnetCannotBeDeleted', 'DELETE', network('net'), undefined],
  ['a network interface in use', 400, 'NicInUse', 'DELETE', networkInterface('existing'), undefined],
  ['an address in use', 400, 'PublicIPAddressCannotBeDeleted', 'DELETE', address('existing'), undefined],
  ['a disk in use', 409, 'OperationNotAllowed', 'DELETE', disk('existing-os'), undefined],
  [
    'an address of another network interface',
    400,
    'PublicIPAddressInUse',
    'PUT',
    networkInterface('x'),
    networkInterfaceBody('existing'),
  ],
  [
    'half of the encryption of a network',
    400,
    'InvalidRequestFormat',
    'PUT',
    network('half'),
    networkWith({ encryption: { enforcement: 'AllowUnencrypted' } }),
  ],
  ['an empty BGP community', 400, 'InvalidRequestFormat', 'PUT', network('half'), networkWith({ bgpCommunities: {} })],
  [
    'a missing prefix of an address',
    400,
    'InvalidResourceReference',
    'PUT',
    address('x'),
    { ...addressBody, properties: { ...addressBody.properties, publicIPPrefix: missing('publicIPPrefixes') } },
  ],
  [
    'a missing DDoS protection plan of a network',
    400,
    'InvalidResourceReference',
    'PUT',
    network('half'),
    networkWith({ ddosProtectionPlan: missing('ddosProtectionPlans') }),
  ],
  [
    'a missing NAT gateway of a subnet',
    400,
    'InvalidResourceReference',
    'PUT',
    `${network('net')}/subnets/x`,
    { properties: { addressPrefix: '10.0.9.0/24', natGateway: missing('natGateways') } },
  ],
  [
    'a missing NAT gateway of a subnet in its network',
    400,
    'InvalidResourceReference',
    'PUT',
    network('half'),
    networkWith({
      subnets: [{ name: 'a', properties: { addressPrefix: '10.1.1.0/24', natGateway: missing('natGateways') } }],
    }),
  ],
  [
    'a missing application security group of a rule',
    400,
    'InvalidResourceReference',
    'PUT',
    `${securityGroup('securityGroup')}/securityRules/x`,
    {
      properties: { ...rule(1002).properties, sourceApplicationSecurityGroups: [missing('applicationSecurityGroups')] },
    },
  ],
  ['a missing address', 400, 'InvalidResourceReference', 'PUT', networkInterface('x'), networkInterfaceBody('none')],
  [
    'a priority below the minimum',
    400,
    'SecurityRuleInvalidPriority',
    'PUT',
    `${securityGroup('securityGroup')}/securityRules/x`,
    rule(99),
  ],
  [
    'a duplicate priority',
    400,
    'SecurityRuleConflict',
    'PUT',
    `${securityGroup('securityGroup')}/securityRules/x`,
    rule(1001),
  ],
  ['a machine with a missing network interface', 404, 'NotFound', 'PUT', machine('x'), machineBody('none')],
  ['a machine with a network interface in use', 400, 'NicInUse', 'PUT', machine('x'), machineBody('existing')],
  [
    'an unknown size',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.hardwareProfile.vmSize = 'Standard_Z1')),
  ],
  [
    'a short password',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.osProfile.adminPassword = 'aB1!')),
  ],
  [
    'a simple password',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.osProfile.adminPassword = 'onlyletters')),
  ],
  [
    'a forbidden user name',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.osProfile.adminUsername = 'admin')),
  ],
  [
    'a Windows licence for Linux',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.licenseType = 'Windows_Server')),
  ],
  [
    'a long computer name on Windows',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => {
      body.properties.storageProfile.imageReference = windows
      body.properties.osProfile.computerName = 'more-than-fifteen'
    }),
  ],
  ...(['publisher', 'offer', 'sku', 'version'] as const).map(
    (part): [string, number, string, string, string, unknown] => [
      `an image with an unknown ${part}`,
      404,
      'PlatformImageNotFound',
      'PUT',
      machine('x'),
      bodyWith((body) => (body.properties.storageProfile.imageReference[part] = 'nowhere')),
    ],
  ),
  [
    'an image without a version',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bodyWith((body) => delete body.properties.storageProfile.imageReference.version),
  ],
  [
    'a marketplace image without its plan',
    400,
    'VMMarketplaceInvalidInput',
    'PUT',
    machine('x'),
    bodyWith((body) => (body.properties.storageProfile.imageReference.publisher = 'acme')),
  ],
  [
    'terms that are not accepted',
    400,
    'MarketplacePurchaseEligibilityFailed',
    'PUT',
    machine('x'),
    bodyWith((body) => {
      body.properties.storageProfile.imageReference = {
        publisher: 'acme',
        offer: 'lab',
        sku: 'basic',
        version: 'latest',
      }
      body.plan = { publisher: 'acme', product: 'lab', name: 'basic' }
    }),
  ],
  [
    'a change of password',
    409,
    'PropertyChangeNotAllowed',
    'PUT',
    machine('existing'),
    (() => {
      const body = machineBody('existing')
      body.properties.osProfile.adminPassword = 'An0ther-secret'
      return body
    })(),
  ],
  [
    'an unknown type',
    404,
    'InvalidResourceType',
    'GET',
    `${inGroup}/providers/Microsoft.Compute/spaceships/x`,
    undefined,
  ],
  ['an invalid subscription', 400, 'InvalidSubscriptionId', 'GET', '/subscriptions/mine', undefined],
])('%s: %i %s', async (_what, status, code, method, path, body) => {
  const reply = await emulator.arm(method, path, body)
  expect(reply.body.error).toMatchObject({ code, message: expect.stringMatching(/\w/) })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('refuses an image that was withdrawn', async () => {
  await publish('lab', 'basic', false)
  const body = machineBody('free')
  const image = { publisher: 'acme', offer: 'lab', sku: 'basic', version: 'latest' }
  body.properties.storageProfile.imageReference = image
  const reply = await emulator.arm('PUT', machine('x'), body)
  expect([reply.status, reply.body.error]).toEqual([
    404,
    {
      code: 'PlatformImageNotFound',
      message:
        "The platform image 'acme:lab:basic:latest' is not available. Verify that all fields in the storage profile are correct. For more details about storage profile information, please refer to https://aka.ms/storageprofile",
      target: 'imageReference',
    },
  ])
})

test('leaves no resources behind when a machine is refused', async () => {
  await emulator.control('POST', '/_quotas', { cores: 2 })
  const reply = await emulator.arm('PUT', machine('x'), machineBody('free'))
  expect([reply.status, reply.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  expect(reply.body.error.message).toContain('Current Limit: 2, Current Usage: 2, Additional Required: 2')
  expect((await emulator.arm('GET', disk('free-os'))).status).toBe(404)
  expect((await emulator.arm('GET', machine('x'))).status).toBe(404)
})

test('refuses a missing token, a wrong token and a missing version', async () => {
  const call = (headers: Record<string, string>, query: string) =>
    fetch(`${emulator.url}${inGroup}${query}`, { headers })
  const version = '?api-version=2024-11-01'
  expect((await call({}, version)).status).toBe(401)
  expect((await call({ authorization: 'Bearer wrong' }, version)).status).toBe(401)
  expect((await call({ authorization: 'Bearer x' }, version)).status).toBe(200)
  expect(await (await call({ authorization: 'Bearer x' }, '')).json()).toMatchObject({
    error: { code: 'MissingApiVersionParameter' },
  })
})

test('lets a security group have one writer at a time and refuses a network interface until its address exists', async () => {
  const slowEmulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  try {
    await openLab(slowEmulator)
    await slowEmulator.arm('PUT', securityGroup('securityGroup'), { location: 'southindia' })
    const earlyReply = await slowEmulator.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))
    expect([earlyReply.status, earlyReply.body.error]).toEqual([
      429,
      {
        code: 'RetryableError',
        message: 'A retryable error occurred.',
        details: [
          {
            code: 'RetryableErrorDueToAnotherOperation',
            message: expect.stringMatching(
              /^Operation PutNetworkSecurityGroupOperation \([\w-]+\) is updating resource \/subscriptions\/.*\/securityGroup\. The call can be retried in 12 seconds\.$/,
            ),
          },
        ],
      },
    ])
    expect(earlyReply.headers.get('retry-after')).toBe('12')
    await slowEmulator.arm('PUT', address('one'), addressBody)
    const tooEarly = await slowEmulator.arm('PUT', networkInterface('one'), networkInterfaceBody('one'))
    expect([tooEarly.status, tooEarly.headers.get('retry-after'), tooEarly.body.error]).toEqual([
      429,
      null,
      {
        code: 'RetryableError',
        message: 'A retryable error occurred.',
        details: [
          {
            code: 'ReferencedResourceNotProvisioned',
            message: expect.stringMatching(
              /is not in Succeeded state\. Resource is in Updating state and the last operation that updated\/is updating the resource is PutPublicIPAddressOperation\.$/,
            ),
          },
        ],
      },
    ])
    await slowEmulator.advance(2)
    expect(
      (await slowEmulator.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))).status,
    ).toBe(201)
    expect((await slowEmulator.arm('PUT', networkInterface('one'), networkInterfaceBody('one'))).status).toBe(201)
  } finally {
    await slowEmulator.stop()
  }
})
