import { beforeEach, expect, test } from 'vitest'
import { startFarEnd, inGroup, inSubscription } from '#test/far-end.ts'
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
} from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd()
await openLab(farEnd)
await putMachine(farEnd, 'existing')
await farEnd.arm('PUT', address('free'), addressBody)
await farEnd.arm('PUT', networkInterface('free'), networkInterfaceBody('free'))
await farEnd.arm('PUT', securityGroup('securityGroup'), { location: 'southindia' })
await farEnd.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))
await publish('lab', 'basic')
await publish('0001-com-ubuntu-server-jammy', '22_04-lts-gen2')
beforeEach(async () => {
  await farEnd.control('POST', '/_quotas', { cores: null })
})

/** An image that is sold in the marketplace. */
async function publish(offer: string, sku: string, published = true): Promise<void> {
  const image = { publisher: 'acme', offer, sku, location: 'southindia', published }
  await farEnd.control('POST', '/_images', image)
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

/** A machine's body on the free network interface, bent by `bend`. */
function bent(bend: (body: ReturnType<typeof machineBody>) => void): unknown {
  const body = machineBody('free')
  bend(body)
  return body
}

const windows = {
  publisher: 'MicrosoftWindowsServer',
  offer: 'WindowsServer',
  sku: '2022-datacenter',
  version: 'latest',
}

test.each<[string, number, string, string, string, unknown]>([
  ['no such group', 404, 'ResourceGroupNotFound', 'GET', `${inSubscription}/resourceGroups/none`, undefined],
  ['no such machine', 404, 'ResourceNotFound', 'GET', machine('none'), undefined],
  ['no such rule', 404, 'NotFound', 'GET', `${securityGroup('securityGroup')}/securityRules/none`, undefined],
  [
    'no such place',
    400,
    'LocationNotAvailableForResourceType',
    'PUT',
    address('x'),
    { ...addressBody, location: 'mars' },
  ],
  [
    'another place than it stands in',
    409,
    'InvalidResourceLocation',
    'PUT',
    address('free'),
    { ...addressBody, location: 'eastus' },
  ],
  [
    'a body that is none',
    400,
    'InvalidRequestFormat',
    'PUT',
    address('x'),
    { location: 'southindia', properties: 'no' },
  ],
  [
    'an address of the retired kind',
    400,
    'IPv4BasicSkuPublicIpCountLimitReached',
    'PUT',
    address('x'),
    { location: 'southindia' },
  ],
  [
    'a network without a space',
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
    'a subnet over another',
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
    'an address that another network interface has',
    400,
    'PublicIPAddressInUse',
    'PUT',
    networkInterface('x'),
    networkInterfaceBody('existing'),
  ],
  [
    'an address that is not there',
    400,
    'InvalidResourceReference',
    'PUT',
    networkInterface('x'),
    networkInterfaceBody('none'),
  ],
  [
    'a priority that is too low',
    400,
    'SecurityRuleInvalidPriority',
    'PUT',
    `${securityGroup('securityGroup')}/securityRules/x`,
    rule(99),
  ],
  [
    'a priority that is taken',
    400,
    'SecurityRuleConflict',
    'PUT',
    `${securityGroup('securityGroup')}/securityRules/x`,
    rule(1001),
  ],
  ['a machine on no network interface', 404, 'NotFound', 'PUT', machine('x'), machineBody('none')],
  ['a machine on a network interface in use', 400, 'NicInUse', 'PUT', machine('x'), machineBody('existing')],
  [
    'a size that is none',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.hardwareProfile.vmSize = 'Standard_Z1')),
  ],
  [
    'a short password',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.osProfile.adminPassword = 'aB1!')),
  ],
  [
    'a plain password',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.osProfile.adminPassword = 'onlyletters')),
  ],
  [
    'a forbidden name',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.osProfile.adminUsername = 'admin')),
  ],
  [
    'a licence of Windows on Linux',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.licenseType = 'Windows_Server')),
  ],
  [
    'a long computer name on Windows',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => {
      body.properties.storageProfile.imageReference = windows
      body.properties.osProfile.computerName = 'more-than-fifteen'
    }),
  ],
  ...(['publisher', 'offer', 'sku', 'version'] as const).map(
    (part): [string, number, string, string, string, unknown] => [
      `an image whose ${part} is none`,
      404,
      'PlatformImageNotFound',
      'PUT',
      machine('x'),
      bent((body) => (body.properties.storageProfile.imageReference[part] = 'nowhere')),
    ],
  ),
  [
    'an image without a version',
    400,
    'InvalidParameter',
    'PUT',
    machine('x'),
    bent((body) => delete body.properties.storageProfile.imageReference.version),
  ],
  [
    'a marketplace image without its plan',
    400,
    'VMMarketplaceInvalidInput',
    'PUT',
    machine('x'),
    bent((body) => (body.properties.storageProfile.imageReference.publisher = 'acme')),
  ],
  [
    'terms that nobody accepted',
    400,
    'MarketplacePurchaseEligibilityFailed',
    'PUT',
    machine('x'),
    bent((body) => {
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
    'another password',
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
    'a type that is none',
    404,
    'InvalidResourceType',
    'GET',
    `${inGroup}/providers/Microsoft.Compute/spaceships/x`,
    undefined,
  ],
  ['a subscription that is none', 400, 'InvalidSubscriptionId', 'GET', '/subscriptions/mine', undefined],
])('%s: %i %s', async (_what, status, code, method, path, body) => {
  const reply = await farEnd.arm(method, path, body)
  expect(reply.body.error).toMatchObject({ code, message: expect.stringMatching(/\w/) })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('an image that was taken back is not there any more', async () => {
  await publish('lab', 'basic', false)
  const body = machineBody('free')
  const image = { publisher: 'acme', offer: 'lab', sku: 'basic', version: 'latest' }
  body.properties.storageProfile.imageReference = image
  const reply = await farEnd.arm('PUT', machine('x'), body)
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

test('a refused machine leaves nothing behind', async () => {
  await farEnd.control('POST', '/_quotas', { cores: 2 })
  const reply = await farEnd.arm('PUT', machine('x'), machineBody('free'))
  expect([reply.status, reply.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  expect(reply.body.error.message).toContain('Current Limit: 2, Current Usage: 2, Additional Required: 2')
  expect((await farEnd.arm('GET', disk('free-os'))).status).toBe(404)
  expect((await farEnd.arm('GET', machine('x'))).status).toBe(404)
})

test('no token, a wrong one, and no version', async () => {
  const ask = (headers: Record<string, string>, query: string) => fetch(`${farEnd.url}${inGroup}${query}`, { headers })
  const version = '?api-version=2024-11-01'
  expect((await ask({}, version)).status).toBe(401)
  expect((await ask({ authorization: 'Bearer wrong' }, version)).status).toBe(401)
  expect((await ask({ authorization: 'Bearer x' }, version)).status).toBe(200)
  expect(await (await ask({ authorization: 'Bearer x' }, '')).json()).toMatchObject({
    error: { code: 'MissingApiVersionParameter' },
  })
})

test('a security group takes one writer at a time, and a network interface waits for its address', async () => {
  const slow = await startFarEnd({ latency: 1, clock: 'stepped' })
  try {
    await openLab(slow)
    await slow.arm('PUT', securityGroup('securityGroup'), { location: 'southindia' })
    const early = await slow.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))
    expect([early.status, early.body.error]).toEqual([
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
    expect(early.headers.get('retry-after')).toBe('12')
    await slow.arm('PUT', address('one'), addressBody)
    const hasty = await slow.arm('PUT', networkInterface('one'), networkInterfaceBody('one'))
    expect([hasty.status, hasty.headers.get('retry-after'), hasty.body.error]).toEqual([
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
    await slow.advance(2)
    expect((await slow.arm('PUT', `${securityGroup('securityGroup')}/securityRules/ssh`, rule(1001))).status).toBe(201)
    expect((await slow.arm('PUT', networkInterface('one'), networkInterfaceBody('one'))).status).toBe(201)
  } finally {
    await slow.stop()
  }
})
