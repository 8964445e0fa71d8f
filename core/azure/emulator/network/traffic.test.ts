import { request } from 'node:http'
import { expect, test } from 'vitest'
import { inGroup } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  address,
  location,
  network,
  openLab,
  putMachine,
  securityGroup,
  sshRule,
} from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
await openLab(emulator)
await putMachine(emulator, 'tux')
await emulator.advance(60)
const PUBLIC_ADDRESS = (await emulator.arm('GET', address('tux'))).body.properties.ipAddress as string
const PRIVATE_ADDRESS = '10.0.0.4'
const SUBNET = `${network('net')}/subnets/default`
const FIREWALL = `${inGroup}/providers/Microsoft.Network/routeTables/to-firewall`

/**
 * Returns the status of a connection to port 22. `from` is an IPv4 address. For a source inside a virtual network, append
 * `@` and the network's name, for example `10.0.0.9@net`.
 */
function connect(target: string, from: string): Promise<number> {
  const [source, sourceNetwork] = from.split('@')
  const group = inGroup.split('/').at(-1)!
  const login = Buffer.from(`${source}:${sourceNetwork === undefined ? '' : `${group}/${sourceNetwork}`}`).toString(
    'base64',
  )
  const { hostname, port } = new URL(emulator.url)
  return new Promise((resolve, reject) => {
    const headers = { 'proxy-authorization': `Basic ${login}` }
    const connecting = request({ host: hostname, port, method: 'CONNECT', path: `${target}:22`, headers })
    connecting.on('connect', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode!)
    })
    connecting.on('error', reject)
    connecting.end()
  })
}

async function setSubnet(rules: readonly object[] | null, routeTable?: string): Promise<void> {
  if (rules !== null) {
    const securityRules = rules.map((rule, n) => ({
      name: `rule-${n}`,
      properties: { ...sshRule, priority: 200 + n, ...rule },
    }))
    await emulator.arm('PUT', securityGroup('rules'), { location, properties: { securityRules } })
    await emulator.advance(10)
  }
  const properties = {
    addressPrefix: '10.0.0.0/17',
    ...(rules !== null && { networkSecurityGroup: { id: securityGroup('rules') } }),
    ...(routeTable !== undefined && { routeTable: { id: routeTable } }),
  }
  expect((await emulator.arm('PUT', SUBNET, { properties })).status).toBeLessThan(300)
  await emulator.advance(10)
}

test('without a security group, only the virtual network is admitted', async () => {
  await setSubnet(null)
  expect(await connect(PUBLIC_ADDRESS, '198.18.0.9')).toBe(504)
  expect(await connect(PRIVATE_ADDRESS, '10.0.0.9@net')).toBe(200)
  // Other networks do not know the private address.
  expect(await connect(PRIVATE_ADDRESS, '198.18.0.9')).toBe(502)
  expect(await connect(PRIVATE_ADDRESS, '10.0.0.9@other')).toBe(502)
})

const DENY = { access: 'Deny' }
test.each<[string, readonly object[], number, number]>([
  ['no rules', [], 504, 200],
  ['allow from any source', [{}], 200, 200],
  ['allow from the source’s prefix', [{ sourceAddressPrefix: '198.18.0.0/24' }], 200, 200],
  ['allow from the source’s address', [{ sourceAddressPrefix: '198.18.0.9' }], 200, 200],
  ['allow from another prefix', [{ sourceAddressPrefix: '203.0.113.0/24' }], 504, 200],
  [
    'allow from several prefixes, one of which contains the source',
    [{ sourceAddressPrefix: undefined, sourceAddressPrefixes: ['203.0.113.0/24', '198.18.0.0/15'] }],
    200,
    200,
  ],
  ['allow from the internet', [{ sourceAddressPrefix: 'Internet' }], 200, 200],
  ['allow UDP', [{ protocol: 'Udp' }], 504, 200],
  ['allow all protocols', [{ protocol: '*' }], 200, 200],
  ['allow another port', [{ destinationPortRange: '3389' }], 504, 200],
  ['allow a range of ports that contains 22', [{ destinationPortRange: '20-30' }], 200, 200],
  ['allow outbound traffic', [{ direction: 'Outbound' }], 504, 200],
  ['deny from the virtual network', [{ ...DENY, sourceAddressPrefix: 'VirtualNetwork' }], 504, 504],
  ['deny has the higher priority than allow', [DENY, {}], 504, 504],
  ['allow has the higher priority than deny', [{}, DENY], 200, 200],
  ['allow to another destination', [{ destinationAddressPrefix: '10.0.0.5' }], 504, 200],
  ['allow to the machine’s private address', [{ destinationAddressPrefix: PRIVATE_ADDRESS }], 200, 200],
])('filters inbound SSH: %s', async (_rules, rules, fromInternet, fromNetwork) => {
  await setSubnet(rules)
  expect([await connect(PUBLIC_ADDRESS, '198.18.0.9'), await connect(PRIVATE_ADDRESS, '10.0.0.9@net')]).toEqual([
    fromInternet,
    fromNetwork,
  ])
})

test.each<[string, string, string, number, number]>([
  ['all traffic to a firewall', '0.0.0.0/0', 'VirtualAppliance', 504, 200],
  ['all traffic to the internet', '0.0.0.0/0', 'Internet', 200, 200],
  ['all traffic to no next hop (None)', '0.0.0.0/0', 'None', 504, 200],
  ['10.0.0.0/8 to a firewall', '10.0.0.0/8', 'VirtualAppliance', 200, 200],
  ['the network’s own prefix to a firewall', '10.0.0.0/16', 'VirtualAppliance', 200, 504],
])(
  'replies are lost or returned with a route for %s',
  async (_route, addressPrefix, nextHopType, fromInternet, fromNetwork) => {
    const nextHop = nextHopType === 'VirtualAppliance' ? { nextHopIpAddress: '10.0.200.4' } : {}
    const routes = [{ name: 'route', properties: { addressPrefix, nextHopType, ...nextHop } }]
    expect((await emulator.arm('PUT', FIREWALL, { location, properties: { routes } })).status).toBeLessThan(300)
    await emulator.advance(10)
    await setSubnet([{}], FIREWALL)
    expect([await connect(PUBLIC_ADDRESS, '198.18.0.9'), await connect(PRIVATE_ADDRESS, '10.0.0.9@net')]).toEqual([
      fromInternet,
      fromNetwork,
    ])
    expect((await emulator.arm('GET', FIREWALL)).body.properties.subnets).toEqual([{ id: SUBNET }])
    expect((await emulator.arm('DELETE', FIREWALL)).status).toBe(400)
  },
)
