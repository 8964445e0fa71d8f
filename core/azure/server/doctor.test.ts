/** @module-tag full */
import type { ImageReference } from '@trainyard/templates/contract/provider.ts'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { createVirtualNetwork } from '@trainyard/platform/test/virtual-network.ts'
import { failedWith, sharedDoctorPortal } from '@trainyard/platform/test/doctor-portal.ts'
import { TEMPLATES } from './test-templates.ts'

const doctorPortal = await sharedDoctorPortal()
await doctorPortal.portal.owner
  .insertInto('template')
  .values([...TEMPLATES])
  .execute()
afterEach(async () => {
  await doctorPortal.control('DELETE', '/_faults')
  await doctorPortal.control('POST', '/_permissions', { permissions: null })
  await doctorPortal.control('POST', '/_governance', {})
  await doctorPortal.control('POST', '/_quotas', { publicAddresses: null })
})

const runChecks = (settings = {}) => doctorPortal.examine(['Emulator', 'Database', 'Azure'], settings)
const azure = async (settings = {}) =>
  Object.fromEntries(
    Object.entries(await runChecks(settings)).flatMap(([name, results]) =>
      name.startsWith('Azure: ') ? [[name.slice('Azure: '.length), results]] : [],
    ),
  )
const fault = (kind: string, operation: string, overrides = {}) =>
  doctorPortal.control('POST', '/_faults', { kind, operation, ...overrides })

const SUBSCRIPTION = '/subscriptions/00000000-0000-4000-8000-000000000001'

async function arm(method: string, path: string, version: string, body: object) {
  const reply = await fetch(`${doctorPortal.emulator.url}${SUBSCRIPTION}${path}?api-version=${version}`, {
    method,
    headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(reply.status).toBeLessThan(300)
}

test('reports no problem at first', async () => {
  expect(await azure()).toEqual({
    'credentials and tenant': 'green',
    clock: 'green',
    'permissions for machines': 'green',
    'permissions for sandboxes': 'green',
    'providers registered': 'green',
    regions: 'green',
    'public addresses': 'green',
    policies: 'green',
    sizes: 'green',
    quotas: 'green',
    'marketplace terms': 'not used',
    images: 'green',
    'groups and networks': 'green',
    'route tables': 'green',
    templates: 'green',
  })
})

test('reports what a corporate subscription would refuse, without creating anything', async () => {
  await doctorPortal.control('POST', '/_governance', {
    noPublicAddresses: true,
    requiredTags: ['CostCentre'],
    allowedLocations: ['westeurope'],
    closedLocations: ['southindia'],
  })
  await doctorPortal.control('POST', '/_quotas', { publicAddresses: 0 })
  const results = await azure()
  expect(results).toMatchObject({
    regions: failedWith(/^The subscription may not use southindia: .*Ubuntu/, /another location/),
    'public addresses': failedWith(/^0 of 0 public addresses are used in southindia/, /private network/),
  })
  for (const [what, todo] of [
    [
      /^The policy 'Network interfaces should not have public IPs' will deny network interfaces of /,
      /exemption of its resource group/,
    ],
    [/^The policy 'Require a tag on resources' will deny virtual networks, security groups/, /Azure Tags/],
    [/^The policy 'Require a tag on resource groups' will deny the resource group of/, /the tag CostCentre/],
    [/^The policy 'Allowed locations' will deny/, /allowed location/],
  ] as const) {
    expect(results.policies).toEqual(failedWith(what, todo))
  }
  expect((await doctorPortal.control('GET', '/_truth?part=resourceGroups')).body.resourceGroups).toEqual([])
})

test('reports an emulator that is not running', async () => {
  const results = await runChecks({ EMULATOR_PORT: '1' })
  expect(results['Emulator: runs']).toEqual(failedWith(/does not answer at/, /npm start/))
  expect(results['Azure: credentials and tenant']).toBe('not run')
  expect(results['Azure: sizes']).toBe('not run')
})

test('names the unreachable sign-in host instead of blaming the credentials', async () => {
  // The proxy does not exist. This simulates a missing network.
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${await freePort()}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const id = '11111111-1111-4111-8111-111111111111'
  const real = { AZURE_SUBSCRIPTION_ID: id, AZURE_TENANT_ID: id, AZURE_CLIENT_ID: id, AZURE_CLIENT_SECRET: 'secret' }
  expect(await azure(real)).toMatchObject({
    'credentials and tenant': failedWith(/login\.microsoftonline\.com cannot be reached/, /outbound network access/),
  })
})

test('reports credentials that Azure rejects', async () => {
  await fault('unauthorised', 'Subscriptions_Get')
  expect(await azure()).toMatchObject({
    'credentials and tenant': failedWith(/does not allow the portal to read the subscription/, /AZURE_CLIENT_SECRET/),
    sizes: 'not run',
  })
})

test('reports a disabled subscription of another directory', async () => {
  const tenantId = '00000000-0000-4000-8000-00000000abcd'
  await doctorPortal.control('POST', '/_subscription', { tenantId, state: 'Disabled' })
  const results = await azure()
  expect(results).toMatchObject({ 'credentials and tenant': failedWith(/the tenant .*abcd, not/, /AZURE_TENANT_ID/) })
  expect(results).toMatchObject({ 'credentials and tenant': failedWith(/is Disabled/, /unpaid/) })
  await doctorPortal.control('POST', '/_subscription', {})
})

test('reports a principal without a role', async () => {
  await doctorPortal.control('POST', '/_permissions', { permissions: [] })
  expect(await azure()).toMatchObject({ 'credentials and tenant': failedWith(/AuthorizationFailed/, /a role/) })
})

test('reports an outage of Azure', async () => {
  await fault('serverError', 'Usage_List')
  expect(await azure()).toMatchObject({
    sizes: failedWith(/Azure failed to list/, /status.azure.com/),
    images: 'green',
  })
})

test('reports insufficient roles', async () => {
  await doctorPortal.control('POST', '/_permissions', {
    permissions: [
      { actions: ['*'], notActions: ['Microsoft.Authorization/*/write', 'Microsoft.Network/*/join/action'] },
    ],
  })
  expect(await azure()).toMatchObject({
    'permissions for machines': failedWith(/subnets\/join\/action/, /Contributor/),
    'permissions for sandboxes': failedWith(/roleAssignments\/write/, /User Access Administrator/),
  })
})

test('accepts roles on the resource group for machines', async () => {
  await arm('PUT', '/resourceGroups/trainyard-labs', '2024-11-01', { location: 'southindia' })
  await doctorPortal.control('POST', '/_permissions', { permissions: [{ actions: ['*/read'] }] })
  expect(await azure()).toMatchObject({
    'permissions for machines': failedWith(/At the group \(group trainyard-labs .*virtualMachines\/write/),
  })
  await doctorPortal.control('POST', '/_permissions', { group: 'trainyard-labs', permissions: [{ actions: ['*'] }] })
  expect(await azure()).toMatchObject({
    'permissions for machines': 'green',
    'permissions for sandboxes': failedWith(/resourceGroups\/write/),
  })
  await doctorPortal.control('POST', '/_permissions', { group: 'trainyard-labs', permissions: null })
})

test('names missing permissions on a network in another group, and a scope with hidden permissions', async () => {
  const { owner } = doctorPortal.portal
  await createVirtualNetwork(doctorPortal.emulator.url, 'hub/corp')
  const network = `${SUBSCRIPTION}/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/corp`
  const setNetwork = (vnet: string) =>
    sql`update template set place = place || jsonb_build_object('network', ${vnet}::text) where name = 'Windows 11 Developer'`.execute(
      owner,
    )
  const grantAtHub = (...actions: string[]) =>
    doctorPortal.control('POST', '/_permissions', { group: 'hub', permissions: [{ actions }] })
  const permissions = async () => (await azure())['permissions for machines']
  await doctorPortal.control('POST', '/_permissions', {
    permissions: [{ actions: ['*'], notActions: ['Microsoft.Network/virtualNetworks/subnets/join/action'] }],
  })
  await doctorPortal.control('POST', '/_permissions', {
    group: 'trainyard-labs',
    permissions: [{ actions: ['Microsoft.Network/*'] }],
  })

  await setNetwork(network)
  expect(await permissions()).toEqual(
    failedWith(
      /^At the virtual network corp in the resource group hub \(VNet of Windows 11 Developer\) the portal may not: Microsoft\.Network\/virtualNetworks\/subnets\/join\/action\.$/,
      /Network Contributor/,
    ),
  )
  await setNetwork(`${network}/subnets/default`)
  expect(await permissions()).toEqual(failedWith(/^At the subnet default of the virtual network corp in the resource/))
  await grantAtHub('Microsoft.Network/*')
  expect(await permissions()).toBe('green')
  await setNetwork(`${network}/subnets/absent`)
  expect(await permissions()).toBe('green')

  await setNetwork(network)
  await fault('unauthorised', 'Permissions_ListForResource')
  expect(await permissions()).toEqual(
    failedWith(
      /^The portal's permissions at the virtual network corp in the resource group hub \(VNet of Windows 11 Developer\) cannot be listed/,
      /Microsoft\.Authorization\/permissions\/read/,
    ),
  )
  await doctorPortal.control('POST', '/_permissions', { group: 'trainyard-labs', permissions: null })
  await doctorPortal.control('POST', '/_permissions', { group: 'hub', permissions: null })
  await setNetwork('trainyard-labs-net')
})

test('reports a provider that is not registered', async () => {
  await doctorPortal.control('POST', '/_providers', { namespace: 'Microsoft.Network', registered: false })
  expect(await azure()).toMatchObject({
    'providers registered': failedWith(/Microsoft.Network is NotRegistered/, /az provider register/),
    sizes: 'not run',
  })
  await doctorPortal.control('POST', '/_providers', { namespace: 'Microsoft.Network', registered: true })
})

test('reports an exhausted core quota', async () => {
  await doctorPortal.control('POST', '/_quotas', { cores: 3 })
  expect(await azure()).toMatchObject({
    quotas: failedWith(
      /0 of 3 cores of the region are used in southindia; Standard_D8s_v4 needs 8: Windows 11/,
      /Quotas/,
    ),
  })
  await doctorPortal.control('POST', '/_quotas', { cores: null })
})

test('reports a size that is not available and a size that does not exist', async () => {
  const withheld = { location: 'southindia', size: 'Standard_DS1_v2' }
  await doctorPortal.control('POST', '/_offers', { ...withheld, offered: false })
  const change = (name: string) =>
    sql`update template set size = jsonb_build_object('name', ${name}::text) where name = 'Windows 11 Developer'`.execute(
      doctorPortal.portal.owner,
    )
  await change('Standard_D999')
  const { sizes } = await azure()
  expect(sizes).toEqual(
    failedWith(/Standard_DS1_v2 is not available \(NotAvailableForSubscription\).*Ubuntu 24.04 Starter/),
  )
  expect(sizes).toEqual(failedWith(/Standard_D999 is not offered in southindia: Windows 11 Developer/, /another size/))
  await change('Standard_D8s_v4')
  await doctorPortal.control('POST', '/_offers', { ...withheld, offered: true })
})

test('reports an unknown region without affecting other templates', async () => {
  const move = (location: string) =>
    sql`update template set place = place || jsonb_build_object('location', ${location}::text) where name = 'Windows 11 Developer'`.execute(
      doctorPortal.portal.owner,
    )
  await move('marsnorth')
  const { sizes, images, ...others } = await azure()
  expect(sizes).toEqual({
    red: [
      {
        what: 'Standard_D8s_v4 is not offered in marsnorth: Windows 11 Developer.',
        todo: expect.stringContaining('another size or region'),
      },
    ],
  })
  expect(images).toEqual(failedWith(/in marsnorth: Windows 11 Developer/, /an image that is in its region/))
  expect(others).toMatchObject({ quotas: 'green', 'groups and networks': 'green', templates: 'green' })
  await move('southindia')
})

test('reports an image that is not in the region', async () => {
  const image = { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', location: 'southindia' }
  await doctorPortal.control('POST', '/_images', { ...image, published: false })
  expect(await azure()).toMatchObject({
    images: failedWith(
      /no image Canonical:ubuntu-24_04-lts:server:latest in southindia: Ubuntu 24.04 Containers, .* Starter/,
      /az vm image list/,
    ),
  })
  await doctorPortal.control('POST', '/_images', { ...image, published: true })
})

test('reports a missing gallery image', async () => {
  const id = `${SUBSCRIPTION}/resourceGroups/trainyard-labs/providers/Microsoft.Compute/galleries/none/images/gone`
  const change = (image: string) =>
    sql`update template set image = jsonb_build_object('id', ${image}::text) where name = 'Windows Server 2022'`.execute(
      doctorPortal.portal.owner,
    )
  await change(id)
  expect(await azure()).toMatchObject({
    images: failedWith(/no image .*images\/gone in southindia: Windows Server 2022/),
  })
  await change('MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest')
})

test('reports marketplace terms that are not accepted', async () => {
  const plan = { publisher: 'nginx', product: 'nginx-plus', version: 'latest' }
  const name = 'Ubuntu 24.04 Starter'
  const { owner } = doctorPortal.portal
  const use = (image: ImageReference) => owner.updateTable('template').set({ image }).where('name', '=', name).execute()
  await use({ id: 'nginx:nginx-plus:plus:latest', plan })
  expect(await azure()).toMatchObject({
    'marketplace terms': failedWith(
      /nginx:nginx-plus:plus are not accepted: Ubuntu 24.04 Starter/,
      /az vm image terms/,
    ),
  })
  const terms = '/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/nginx/offers/nginx-plus'
  await arm('PUT', `${terms}/plans/plus/agreements/current`, '2021-01-01', { properties: { accepted: true } })
  expect(await azure()).toMatchObject({ 'marketplace terms': 'green' })
  await use({ id: 'Canonical:ubuntu-24_04-lts:server:latest' })
})

test(
  'reports a route table that sends replies to a firewall, and accepts one with an exemption',
  { tags: ['storm'] },
  async () => {
    const group = '/resourceGroups/trainyard-labs'
    const routeTable = `${group}/providers/Microsoft.Network/routeTables/to-firewall`
    const location = 'southindia'
    const setRoutes = (...routes: readonly (readonly [name: string, prefix: string, nextHopType: string])[]) =>
      arm('PUT', routeTable, '2024-05-01', {
        location,
        properties: {
          routes: routes.map(([name, addressPrefix, nextHopType]) => ({
            name,
            properties: {
              addressPrefix,
              nextHopType,
              ...(nextHopType === 'VirtualAppliance' && { nextHopIpAddress: '10.0.9.4' }),
            },
          })),
        },
      })
    const all = ['all', '0.0.0.0/0', 'VirtualAppliance'] as const
    await arm('PUT', group, '2024-11-01', { location })
    await setRoutes(all)
    await arm('PUT', `${group}/providers/Microsoft.Network/virtualNetworks/trainyard-labs-net`, '2024-05-01', {
      location,
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
        subnets: [
          {
            name: 'default',
            properties: { addressPrefix: '10.0.0.0/17', routeTable: { id: `${SUBSCRIPTION}${routeTable}` } },
          },
        ],
      },
    })
    expect(await azure({ EGRESS_ADDRESSES: '203.0.113.7' })).toMatchObject({
      'groups and networks': 'green',
      'route tables': failedWith(
        /^The route all of the route table to-firewall sends replies to 203\.0\.113\.7\/32 to VirtualAppliance 10\.0\.9\.4, so machines in the subnet default will run, but not answer: /,
        /sends 203\.0\.113\.7\/32 to Internet/,
      ),
    })
    await setRoutes(all, ['portal', '203.0.113.0/24', 'Internet'])
    expect(await azure({ EGRESS_ADDRESSES: '203.0.113.7' })).toMatchObject({ 'route tables': 'green' })
    expect(await azure({ EGRESS_ADDRESSES: '198.51.100.1' })).toMatchObject({
      'route tables': failedWith(/sends replies to 198\.51\.100\.1/),
    })
    await doctorPortal.control('POST', '/_permissions', {
      permissions: [{ actions: ['*'], notActions: ['Microsoft.Network/routeTables/read'] }],
    })
    expect(await azure()).toMatchObject({ 'route tables': failedWith(/routeTables\/read/, /routeTables\/read/) })
    await doctorPortal.control('POST', '/_permissions', { permissions: null })
    await arm('PUT', `${group}/providers/Microsoft.Network/virtualNetworks/trainyard-labs-net`, '2024-05-01', {
      location,
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [] },
    })
  },
)

test('reports a network in another region and a network without a subnet', { tags: ['storm'] }, async () => {
  const network = '/resourceGroups/trainyard-labs/providers/Microsoft.Network/virtualNetworks/trainyard-labs-net'
  const addressSpace = { addressPrefixes: ['10.0.0.0/8'] }
  await arm('PUT', '/resourceGroups/trainyard-labs', '2024-11-01', { location: 'southindia' })
  await arm('PUT', network, '2024-05-01', { location: 'southindia', properties: { addressSpace } })
  expect(await azure()).toMatchObject({ 'groups and networks': failedWith(/has no subnet/, /az network vnet subnet/) })
  await sql`update template set place = place || '{"location": "westeurope"}'`.execute(doctorPortal.portal.owner)
  expect(await azure()).toMatchObject({
    'groups and networks': failedWith(/is in southindia, but the machines of .* will be in westeurope/, /its region/),
  })
})

test('accepts a network given by its ID as existing', { tags: ['storm'] }, async () => {
  const { owner } = doctorPortal.portal
  const before = await owner.selectFrom('template').select(['id', 'place']).execute()
  const id = `${SUBSCRIPTION}/resourceGroups/trainyard-labs/providers/Microsoft.Network/virtualNetworks/absent`
  await sql`update template set place = place || jsonb_build_object('network', ${id}::text)`.execute(owner)
  await doctorPortal.control('POST', '/_governance', { requiredTags: ['CostCentre'], closedLocations: [] })
  const { policies, 'groups and networks': networks } = await azure()
  expect(networks).toEqual(failedWith(/^The network .*absent of .* does not exist\./, /Create it in Azure/))
  expect(JSON.stringify(policies)).toMatch(/CostCentre/)
  expect(JSON.stringify(policies)).not.toMatch(/virtual networks/)
  await doctorPortal.control('POST', '/_governance', {})
  for (const { id, place } of before) await owner.updateTable('template').set({ place }).where('id', '=', id).execute()
})

test('reports a clock that is an hour ahead', async () => {
  await doctorPortal.control('POST', '/_clock', { mode: 'stepped', advanceSeconds: 3600 })
  expect(await azure()).toMatchObject({ clock: failedWith(/Azure's clock is 3[56]\d\d s ahead/, /NTP/) })
})
