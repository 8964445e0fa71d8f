import { request } from 'node:http'
import { expect, test } from 'vitest'
import { inGroup } from '#test/test-emulator.ts'
import { address, location, network, openLab, putMachine, securityGroup, sshRule } from '#test/lab.ts'
import { sharedTestEmulator } from '#test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
await openLab(emulator)
await putMachine(emulator, 'tux')
await emulator.advance(60)
const at = (await emulator.arm('GET', address('tux'))).body.properties.ipAddress as string
const INSIDE = '10.0.0.4'
const SUBNET = `${network('net')}/subnets/default`
const FIREWALL = `${inGroup}/providers/Microsoft.Network/routeTables/to-firewall`

/** Returns the status of a connection to port 22. `from` is an address, with `@net` for one in the virtual network. */
function connect(target: string, from: string): Promise<number> {
  const [source, inside] = from.split('@')
  const group = inGroup.split('/').at(-1)!
  const login = Buffer.from(`${source}:${inside === undefined ? '' : `${group}/${inside}`}`).toString('base64')
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
  expect(await connect(at, '198.18.0.9')).toBe(504)
  expect(await connect(INSIDE, '10.0.0.9@net')).toBe(200)
  // Other networks do not know the private address.
  expect(await connect(INSIDE, '198.18.0.9')).toBe(502)
  expect(await connect(INSIDE, '10.0.0.9@other')).toBe(502)
})

const DENY = { access: 'Deny' }
test.each<[string, readonly object[], number, number]>([
  ['no rule', [], 504, 200],
  ['any source', [{}], 200, 200],
  ['the source’s prefix', [{ sourceAddressPrefix: '198.18.0.0/24' }], 200, 200],
  ['the source’s address', [{ sourceAddressPrefix: '198.18.0.9' }], 200, 200],
  ['another prefix', [{ sourceAddressPrefix: '203.0.113.0/24' }], 504, 200],
  [
    'one of several prefixes',
    [{ sourceAddressPrefix: undefined, sourceAddressPrefixes: ['203.0.113.0/24', '198.18.0.0/15'] }],
    200,
    200,
  ],
  ['the internet', [{ sourceAddressPrefix: 'Internet' }], 200, 200],
  ['UDP', [{ protocol: 'Udp' }], 504, 200],
  ['every protocol', [{ protocol: '*' }], 200, 200],
  ['another port', [{ destinationPortRange: '3389' }], 504, 200],
  ['a range of ports', [{ destinationPortRange: '20-30' }], 200, 200],
  ['the outbound direction', [{ direction: 'Outbound' }], 504, 200],
  ['a denial of the network', [{ ...DENY, sourceAddressPrefix: 'VirtualNetwork' }], 504, 504],
  ['a denial before a permission', [DENY, {}], 504, 504],
  ['a permission before a denial', [{}, DENY], 200, 200],
  ['another destination', [{ destinationAddressPrefix: '10.0.0.5' }], 504, 200],
  ['the machine’s private address as destination', [{ destinationAddressPrefix: INSIDE }], 200, 200],
])('a rule for %s decides which connections pass', async (_what, rules, internet, inside) => {
  await setSubnet(rules)
  expect([await connect(at, '198.18.0.9'), await connect(INSIDE, '10.0.0.9@net')]).toEqual([internet, inside])
})

test.each<[string, string, string, number, number]>([
  ['all to a firewall', '0.0.0.0/0', 'VirtualAppliance', 504, 200],
  ['all to the internet', '0.0.0.0/0', 'Internet', 200, 200],
  ['all away', '0.0.0.0/0', 'None', 504, 200],
  ['the private space to a firewall', '10.0.0.0/8', 'VirtualAppliance', 200, 200],
  ['the network itself to a firewall', '10.0.0.0/16', 'VirtualAppliance', 200, 504],
])(
  'a route that sends %s decides whether replies return',
  async (_what, addressPrefix, nextHopType, internet, inside) => {
    const hop = nextHopType === 'VirtualAppliance' ? { nextHopIpAddress: '10.0.200.4' } : {}
    const routes = [{ name: 'route', properties: { addressPrefix, nextHopType, ...hop } }]
    expect((await emulator.arm('PUT', FIREWALL, { location, properties: { routes } })).status).toBeLessThan(300)
    await emulator.advance(10)
    await setSubnet([{}], FIREWALL)
    expect([await connect(at, '198.18.0.9'), await connect(INSIDE, '10.0.0.9@net')]).toEqual([internet, inside])
    expect((await emulator.arm('GET', FIREWALL)).body.properties.subnets).toEqual([{ id: SUBNET }])
    expect((await emulator.arm('DELETE', FIREWALL)).status).toBe(400)
  },
)
