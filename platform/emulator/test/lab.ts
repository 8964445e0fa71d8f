import { inGroup, type TestEmulator, type Reply } from './test-emulator.ts'

export const location = 'southindia'

export const network = (name: string): string => `${inGroup}/providers/Microsoft.Network/virtualNetworks/${name}`
export const securityGroup = (name: string): string =>
  `${inGroup}/providers/Microsoft.Network/networkSecurityGroups/${name}`
export const address = (name: string): string => `${inGroup}/providers/Microsoft.Network/publicIPAddresses/${name}`
export const networkInterface = (name: string): string =>
  `${inGroup}/providers/Microsoft.Network/networkInterfaces/${name}`
export const machine = (name: string): string => `${inGroup}/providers/Microsoft.Compute/virtualMachines/${name}`
export const disk = (name: string): string => `${inGroup}/providers/Microsoft.Compute/disks/${name}`

const ubuntu = {
  publisher: 'Canonical',
  offer: '0001-com-ubuntu-server-jammy',
  sku: '22_04-lts-gen2',
  version: 'latest',
}

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

/** Machine in the format of the official clients. Its disk is deleted with it. */
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

// oxlint-disable-next-line typescript/no-explicit-any -- tests change it in many ways
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

/** Creates the group and its network, which all tests with machines need. */
export async function openLab(emulator: TestEmulator): Promise<void> {
  await emulator.arm('PUT', inGroup, { location })
  await emulator.arm('PUT', network('net'), networkBody)
  await emulator.advance(10)
}

/** Creates an address, a network interface and a machine of the same name. Returns the reply to the machine's PUT. */
export async function putMachine(
  emulator: TestEmulator,
  name: string,
  body: unknown = machineBody(name),
): Promise<Reply> {
  await emulator.arm('PUT', address(name), addressBody)
  await emulator.advance(2)
  await emulator.arm('PUT', networkInterface(name), networkInterfaceBody(name))
  await emulator.advance(2)
  return emulator.arm('PUT', machine(name), body)
}

export async function recordedMachine(emulator: TestEmulator, name: string) {
  const { body } = await emulator.control('GET', '/_truth?part=machines')
  const machines = body.machines as {
    name: string
    exists: boolean
    power: string | null
    powerHistory: { state: string; at: string }[]
    billed: { from: string; to: string | null }[]
    billedSeconds: number
  }[]
  const found = machines.findLast((life) => life.name === name)
  if (found === undefined) throw new Error(`No machine named ${name} is recorded.`)
  return found
}
