import { exampleClient, type ExampleAnswer } from '@trainyard/platform/test/azure-official/example-wire.ts'
import { WHERE_TO_FIND } from '@trainyard/platform/test/azure-official/specification.ts'
import { EXAMPLE_CALLER, EXAMPLE_DATE, specification } from '@trainyard/platform/test/azure-official/test-official.ts'
import type { ContractWatch } from '@trainyard/platform/test/azure-official/watch.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { azureMachines } from './machines.ts'

const EXAMPLES: Readonly<Record<string, readonly ExampleAnswer[]>> = {
  ResourceGroups_Get: ['absent'],
  ResourceGroups_CreateOrUpdate: [{ example: 'Create or update a resource group', status: 201 }],
  VirtualNetworks_Get: ['absent', { example: 'Get virtual network', status: 200 }],
  VirtualNetworks_CreateOrUpdate: [{ example: 'Create virtual network with subnet', status: 201 }],
  // The example's only rule is not ours, so the adapter adds the machine's rule.
  NetworkSecurityGroups_Get: ['absent', { example: 'Get network security group', status: 200 }],
  NetworkSecurityGroups_CreateOrUpdate: [{ example: 'Create network security group with rule', status: 201 }],
  SecurityRules_CreateOrUpdate: [{ example: 'Create security rule', status: 201 }],
  PublicIPAddresses_CreateOrUpdate: [{ example: 'Create public IP address allocation method', status: 201 }],
  PublicIPAddresses_Get: [{ example: 'Get public IP address', status: 200 }],
  PublicIPAddresses_Delete: [{ example: 'Delete public IP address', status: 202 }],
  NetworkInterfaces_CreateOrUpdate: [{ example: 'Create network interface', status: 201 }],
  NetworkInterfaces_Get: [{ example: 'Get network interface', status: 200 }],
  NetworkInterfaces_Delete: [{ example: 'Delete network interface', status: 202 }],
  Disks_Get: [{ example: 'Get information about a managed disk.', status: 200 }],
  Disks_Delete: [{ example: 'Delete a managed disk.', status: 202 }],
  VirtualMachines_CreateOrUpdate: [{ example: 'Create a vm with password authentication.', status: 201 }],
  VirtualMachines_Get: [{ example: 'Get a Virtual Machine.', status: 200 }],
  VirtualMachines_Delete: [{ example: 'Force delete a VM', status: 202 }],
  VirtualMachines_Start: [{ example: 'VirtualMachine_Start_MaximumSet_Gen', status: 202 }],
  VirtualMachines_Deallocate: [{ example: 'VirtualMachine_Deallocate_MaximumSet_Gen', status: 202 }],
  VirtualMachines_Restart: [{ example: 'VirtualMachine_Restart_MaximumSet_Gen', status: 202 }],
  VirtualMachineExtensions_Get: ['absent', { example: 'VirtualMachineExtension_Get_MaximumSet_Gen', status: 200 }],
  VirtualMachineExtensions_CreateOrUpdate: [
    { example: 'VirtualMachineExtension_CreateOrUpdate_MaximumSet_Gen', status: 201 },
  ],
  Galleries_Get: ['absent', { example: 'Get a gallery.', status: 200 }],
  Galleries_CreateOrUpdate: [{ example: 'Create or update a simple gallery.', status: 201 }],
  GalleryImages_Get: ['absent', { example: 'Get a gallery image.', status: 200 }],
  GalleryImages_CreateOrUpdate: [{ example: 'Create or update a simple gallery image.', status: 201 }],
  GalleryImageVersions_Get: [
    'absent',
    { example: 'Get a gallery image version with replication status.', status: 200 },
  ],
  GalleryImageVersions_CreateOrUpdate: [
    { example: 'Create or update a simple Gallery Image Version using VM as source.', status: 201 },
  ],
  // The next link of the larger example does not exist.
  VirtualMachines_ListAll: [{ example: 'VirtualMachine_ListAll_MinimumSet_Gen', status: 200 }],
}

const BODIES = [
  'parameters',
  'securityRuleParameters',
  'extensionParameters',
  'gallery',
  'galleryImage',
  'galleryImageVersion',
]

export const SPEC: AzureMachineSpec = {
  id: '0198c0de-0000-7000-8000-000000000001',
  organisation: 'Acme Learning',
  training: 'Windows 101',
  resourceGroup: 'acme-labs',
  name: 'windows-101-1',
  securityGroup: 'windows-101-ports',
  location: 'southindia',
  network: 'labs',
  size: 'Standard_D2s_v3',
  os: 'Windows',
  licence: 'Windows_Server',
  image: {
    kind: 'platform',
    publisher: 'MicrosoftWindowsServer',
    offer: 'WindowsServer',
    sku: '2022-datacenter',
    version: 'latest',
  },
  adminUsername: 'trainee',
  adminPassword: 'Correct-Horse-7',
  tags: {},
  disk: { sku: 'StandardSSD_LRS', encryptionSet: null },
  encryptionAtHost: false,
  bootDiagnostics: false,
}

export function exampleCloud(
  answers: Readonly<Record<string, readonly ExampleAnswer[]>>,
  watch: Pick<ContractWatch, 'http'>,
) {
  if (specification === null) throw new Error(WHERE_TO_FIND)
  const { wire, requests } = exampleClient(specification, { ...EXAMPLES, ...answers }, EXAMPLE_DATE)
  return { cloud: azureMachines({ ...EXAMPLE_CALLER, http: () => watch.http(wire) }), requests }
}

export function shapes(requests: readonly { operation: string; body: unknown }[], operation: string, example: string) {
  const official = specification?.operations.get(operation)?.examples.get(example)?.parameters
  const sentPaths = pathsIn(requests.find((call) => call.operation === operation)?.body)
  const officialPaths = pathsIn(BODIES.map((name) => official?.[name]).find((body) => body !== undefined))
  return {
    more: sentPaths.filter((path) => !officialPaths.includes(path)),
    less: officialPaths.filter((path) => !sentPaths.includes(path)),
  }
}

function pathsIn(value: unknown, path = ''): string[] {
  if (path === 'tags' || typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsIn(item, `${path}[]`)))]
  return Object.entries(value)
    .flatMap(([name, inner]) => pathsIn(inner, path === '' ? name : `${path}.${name}`))
    .toSorted()
}
