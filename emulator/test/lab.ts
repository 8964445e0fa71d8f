import { inGroup, type FarEnd, type Reply } from '#test/far-end.ts'

const location = 'southindia'

export const network = (name: string): string => `${inGroup}/providers/Microsoft.Network/virtualNetworks/${name}`
export const securityGroup = (name: string): string =>
  `${inGroup}/providers/Microsoft.Network/networkSecurityGroups/${name}`
export const address = (name: string): string => `${inGroup}/providers/Microsoft.Network/publicIPAddresses/${name}`
export const networkInterface = (name: string): string =>
  `${inGroup}/providers/Microsoft.Network/networkInterfaces/${name}`
export const machine = (name: string): string => `${inGroup}/providers/Microsoft.Compute/virtualMachines/${name}`
export const disk = (name: string): string => `${inGroup}/providers/Microsoft.Compute/disks/${name}`

export const ubuntu = {
  publisher: 'Canonical',
  offer: '0001-com-ubuntu-server-jammy',
  sku: '22_04-lts-gen2',
  version: 'latest',
}

/** A rule of a security group, as the official clients take it. */
export const sshRule = {
  protocol: 'Tcp',
  access: 'Allow',
  direction: 'Inbound',
  priority: 1001,
  sourceAddressPrefix: '*',
  sourcePortRange: '*',
  destinationAddressPrefix: '*',
  destinationPortRange: '22',
}

/** A machine, as the official clients take it; its disk goes with it. */
export const clientMachine = (computerName: string, networkInterface: string) => ({
  location,
  hardwareProfile: { vmSize: 'Standard_D2s_v3' },
  storageProfile: { imageReference: { ...ubuntu }, osDisk: { createOption: 'FromImage', deleteOption: 'Delete' } },
  osProfile: { computerName, adminUsername: 'learner', adminPassword: 'Sup3r-secret' },
  networkProfile: { networkInterfaces: [{ id: networkInterface, primary: true, deleteOption: 'Delete' }] },
})

const networkBody = {
  location,
  properties: {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    subnets: [{ name: 'default', properties: { addressPrefix: '10.0.0.0/17' } }],
  },
}

export const addressBody = {
  location,
  sku: { name: 'Standard' },
  properties: { publicIPAllocationMethod: 'Static' },
}

export function networkInterfaceBody(addressName: string | undefined): unknown {
  return {
    location,
    properties: {
      ipConfigurations: [
        {
          name: 'primary',
          properties: {
            subnet: { id: `${network('net')}/subnets/default` },
            ...(addressName === undefined
              ? {}
              : { publicIPAddress: { id: address(addressName), properties: { deleteOption: 'Delete' } } }),
          },
        },
      ],
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests bend it in every way
export function machineBody(networkInterfaceName: string, deleteOption: 'Delete' | 'Detach' = 'Delete'): any {
  return {
    location,
    tags: { 'trainyard-machine': networkInterfaceName },
    properties: {
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
      storageProfile: {
        imageReference: { ...ubuntu },
        osDisk: {
          name: `${networkInterfaceName}-os`,
          createOption: 'FromImage',
          deleteOption,
          managedDisk: { storageAccountType: 'StandardSSD_LRS' },
        },
      },
      osProfile: { computerName: 'lab', adminUsername: 'learner', adminPassword: 'Sup3r-secret' },
      networkProfile: {
        networkInterfaces: [
          { id: networkInterface(networkInterfaceName), properties: { primary: true, deleteOption } },
        ],
      },
    },
  }
}

/** The group and its network, as every test with machines needs them. */
export async function openLab(farEnd: FarEnd): Promise<void> {
  await farEnd.arm('PUT', inGroup, { location })
  await farEnd.arm('PUT', network('net'), networkBody)
  await farEnd.advance(10)
}

/** An address, a network interface and the machine's own PUT, whose reply it answers with. All three have the same name. */
export async function putMachine(farEnd: FarEnd, name: string, body: unknown = machineBody(name)): Promise<Reply> {
  await farEnd.arm('PUT', address(name), addressBody)
  await farEnd.advance(2)
  await farEnd.arm('PUT', networkInterface(name), networkInterfaceBody(name))
  await farEnd.advance(2)
  return farEnd.arm('PUT', machine(name), body)
}

/** Returns the record of one machine's life. */
export async function lifeOf(farEnd: FarEnd, name: string) {
  const { body } = await farEnd.control('GET', '/_truth?part=machines')
  const lives = body.machines as {
    name: string
    exists: boolean
    power: string | null
    powerHistory: { state: string; at: string }[]
    billed: { from: string; to: string | null }[]
    billedSeconds: number
  }[]
  const found = lives.findLast((life) => life.name === name)
  if (found === undefined) throw new Error(`The record knows no machine ${name}.`)
  return found
}
