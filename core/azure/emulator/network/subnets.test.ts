import { expect, test } from 'vitest'
import { location, network, networkInterface, openLab } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
await openLab(emulator)
const SERVICE = 'Microsoft.Web/serverFarms'

async function putSubnet(name: string, thirdOctet: number, delegated = false) {
  const delegations = [{ name: 'one', properties: { serviceName: SERVICE } }]
  const properties = { addressPrefix: `10.0.${thirdOctet}.0/24`, ...(delegated && { delegations }) }
  const reply = await emulator.arm('PUT', `${network('net')}/subnets/${name}`, { properties })
  await emulator.advance(10)
  return reply
}

const connect = (name: string, subnet: string) =>
  emulator.arm('PUT', networkInterface(name), {
    location,
    properties: {
      ipConfigurations: [
        {
          name: 'primary',
          properties: {
            privateIPAllocationMethod: 'Dynamic',
            subnet: { id: `${network('net')}/subnets/${subnet}` },
          },
        },
      ],
    },
  })

test.each([
  ['AzureBastionSubnet', 'the Azure Bastion resource'],
  ['azurebastionsubnet', 'the Azure Bastion resource'],
  ['AzureFirewallSubnet', 'the Azure Firewall resource'],
  ['AzureFirewallManagementSubnet', 'the Azure Firewall resource'],
  ['GatewaySubnet', 'the Virtual Network Gateway resource'],
  ['RouteServerSubnet', 'the Route Server resource'],
])('refuses a network interface in %s', async (subnet, service) => {
  await putSubnet(subnet, 200)
  expect(await connect('in-reserved', subnet)).toMatchObject({
    status: 400,
    body: { error: { message: `Subnet with name '${subnet}' can be used only for ${service}.` } },
  })
  expect((await emulator.arm('GET', networkInterface('in-reserved'))).status).toBe(404)
  await emulator.arm('DELETE', `${network('net')}/subnets/${subnet}`)
  await emulator.advance(10)
})

test('refuses a network interface in a delegated subnet, and the delegation of a subnet in use', async () => {
  await putSubnet('apps', 201, true)
  const id = `${network('net')}/subnets/apps`
  expect(await connect('in-delegated', 'apps')).toMatchObject({
    status: 400,
    body: {
      error: {
        message: `Resource ${networkInterface('in-delegated')} cannot be created in or updated to use the subnet ${id} since it has delegation(s) [${id}/delegations/one] to external services.`,
      },
    },
  })
  expect((await putSubnet('apps', 201)).status).toBe(200)
  expect((await connect('in-apps', 'apps')).status).toBe(201)
  expect(await putSubnet('apps', 201, true)).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'SubnetDelegationsCannotChangeWhenSubnetUsedByResource',
        message: `Delegations of subnet ${id} cannot be changed from [] to [${SERVICE}] because it is being used by the resource ${networkInterface('in-apps')}/ipConfigurations/primary.`,
      },
    },
  })
  expect((await putSubnet('apps', 201)).status).toBe(200)
})
