/** @module-tag full */
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { failedWith, sharedDoctorPortal } from '@trainyard/platform/test/doctor-portal.ts'
import { TEMPLATES } from '@trainyard/azure/server/test-templates.ts'

const doctorPortal = await sharedDoctorPortal()
const { owner } = doctorPortal.portal
await owner
  .insertInto('template')
  .values([...TEMPLATES])
  .execute()

const SUBSCRIPTION = '/subscriptions/00000000-0000-4000-8000-000000000001'
const GROUP = '/resourceGroups/trainyard-labs'

const azure = async (settings = {}) =>
  Object.fromEntries(
    Object.entries(await doctorPortal.examine(['Emulator', 'Database', 'Azure'], settings)).flatMap(
      ([name, results]) => (name.startsWith('Azure: ') ? [[name.slice('Azure: '.length), results]] : []),
    ),
  )

async function arm(path: string, version: string, body: object) {
  const reply = await fetch(`${doctorPortal.emulator.url}${SUBSCRIPTION}${path}?api-version=${version}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(reply.status).toBeLessThan(300)
}

async function moveTemplatesTo(name: string, ranges: string): Promise<void> {
  await sql`insert into private_network (name, route, ranges) values (${name}, 'peering', ${ranges})`.execute(owner)
  await sql`update template set private_network_id = (select id from private_network where name = ${name}),
    address_kind = 'private address'`.execute(owner)
}
const moveTemplatesBack = () =>
  sql`update template set private_network_id = null, address_kind = 'public address'`.execute(owner)

test('accepts routes to a firewall for machines with private addresses', { tags: ['storm'] }, async () => {
  const location = 'southindia'
  const routeTable = `${GROUP}/providers/Microsoft.Network/routeTables/to-firewall`
  const network = `${GROUP}/providers/Microsoft.Network/virtualNetworks/trainyard-labs-net`
  const addressSpace = { addressPrefixes: ['10.0.0.0/16'] }
  const toFirewall = { addressPrefix: '0.0.0.0/0', nextHopType: 'VirtualAppliance', nextHopIpAddress: '10.0.9.4' }
  await arm(GROUP, '2024-11-01', { location })
  await arm(routeTable, '2024-05-01', { location, properties: { routes: [{ name: 'all', properties: toFirewall }] } })
  const subnet = { addressPrefix: '10.0.0.0/17', routeTable: { id: `${SUBSCRIPTION}${routeTable}` } }
  await arm(network, '2024-05-01', {
    location,
    properties: { addressSpace, subnets: [{ name: 'default', properties: subnet }] },
  })
  expect(await azure()).toMatchObject({ 'route tables': failedWith(/to-firewall/) })
  // Machines with private addresses have clients in private networks only.
  await moveTemplatesTo('Own', '{10.0.0.0/16}')
  expect(await azure()).toMatchObject({ 'route tables': 'green' })
  await moveTemplatesBack()
  await arm(network, '2024-05-01', { location, properties: { addressSpace, subnets: [] } })
})

test('does not create a network of private machines', { tags: ['storm'] }, async () => {
  await moveTemplatesTo('Hub', '{10.1.0.0/16}')
  await sql`update template set place = place || '{"network": "absent"}'`.execute(owner)
  expect(await azure()).toMatchObject({
    'groups and networks': failedWith(/^The network .*absent of .* does not exist\./, /Create it in Azure/),
    policies: 'green',
  })
})
