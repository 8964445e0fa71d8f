import type { NetworkInterface } from '@azure/arm-network'
import type { Accepted } from '@trainyard/templates/server/cloud.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { startOperation, type CreatedResource } from './calls.ts'
import type { AzureClients } from './clients.ts'
import type { PartReaders } from './part-readers.ts'
import type { BatchedRead } from './batched-reads.ts'
import { machineBody } from './machine-body.ts'
import { addressName, networkInterfaceName, machineTags, privateAddressIn } from './names.ts'
import { waitUntilProvisioned } from './wait-until-provisioned.ts'
import type { SharedResources, SharedResourceCache } from './shared-resources.ts'
import { ownImages } from './own-image.ts'
import { azureErrorIn } from './errors.ts'

/** Returns a function that creates a machine. Each PUT has a name derived from the machine's, so repeats are safe. */
export function machineCreator(clients: AzureClients, surroundings: SharedResourceCache, readers: PartReaders) {
  const own = ownImages(clients)
  return async (spec: AzureMachineSpec, signal: AbortSignal): Promise<Accepted> => {
    try {
      const around = await surroundings.ensure(spec, signal)
      const image = await own(spec.image)
      const isPrivate = spec.addressKind === 'private address'
      const publicAddress = isPrivate ? null : await putAddress(clients, spec, readers.address, signal)
      const networkInterface = await putNetworkInterface(
        clients,
        spec,
        { ...around, address: publicAddress === null ? null : idOf(publicAddress) },
        readers.networkInterface,
        signal,
      )
      const { at } = await startOperation(
        `create the machine ${spec.name}`,
        signal,
        (options) =>
          clients.compute.virtualMachines.beginCreateOrUpdate(
            spec.resourceGroup,
            spec.name,
            machineBody(spec, idOf(networkInterface), image),
            options,
          ),
        spec.adminPassword,
      )
      const address = isPrivate ? privateAddressIn(networkInterface) : publicAddress?.ipAddress
      return { at, ...(address === undefined ? {} : { address }) }
    } catch (problem) {
      if (isCacheOutdated(problem)) surroundings.forget(spec.resourceGroup)
      throw problem
    }
  }
}

async function putAddress(
  { network }: AzureClients,
  spec: AzureMachineSpec,
  batchedRead: BatchedRead<CreatedResource>,
  signal: AbortSignal,
): Promise<CreatedResource> {
  const name = addressName(spec)
  const accepted = await startOperation(`create the address of ${spec.name}`, signal, (options) =>
    network.publicIPAddresses.beginCreateOrUpdate(
      spec.resourceGroup,
      name,
      {
        location: spec.location,
        tags: machineTags(spec),
        sku: { name: 'Standard' },
        publicIPAllocationMethod: 'Static',
        deleteOption: 'Delete',
      },
      options,
    ),
  )
  const read = () => batchedRead(spec.resourceGroup, name, signal)
  return waitUntilProvisioned(`the address of ${spec.name}`, accepted.body, read, signal)
}

async function putNetworkInterface(
  { network }: AzureClients,
  spec: AzureMachineSpec,
  around: SharedResources & { readonly address: string | null },
  batchedRead: BatchedRead<NetworkInterface>,
  signal: AbortSignal,
): Promise<NetworkInterface> {
  const name = networkInterfaceName(spec)
  const accepted = await startOperation(`create the network interface of ${spec.name}`, signal, (options) =>
    network.networkInterfaces.beginCreateOrUpdate(
      spec.resourceGroup,
      name,
      {
        location: spec.location,
        tags: machineTags(spec),
        networkSecurityGroup: { id: around.securityGroup },
        ipConfigurations: [
          {
            name: 'primary',
            privateIPAllocationMethod: 'Dynamic',
            subnet: { id: around.subnet },
            // If the network interface is deleted, this deleteOption applies instead of the address's own.
            ...(around.address !== null && { publicIPAddress: { id: around.address, deleteOption: 'Delete' } }),
          },
        ],
      },
      options,
    ),
  )
  const read = () => batchedRead(spec.resourceGroup, name, signal)
  return waitUntilProvisioned(`the network interface of ${spec.name}`, accepted.body, read, signal)
}

function idOf(made: { readonly id?: string }): string {
  if (made.id !== undefined) return made.id
  throw new CloudError('unreachable', 'The response from Azure contains no resource id.')
}

/** Returns true if the cached IDs are outdated: a referenced resource is absent, or the subnet accepts no machines. */
function isCacheOutdated(problem: unknown): boolean {
  const answer = azureErrorIn(problem)
  if (answer?.outcome.is === 'conflict') return answer.status === 404 || answer.code === 'InvalidResourceReference'
  return answer?.outcome.is === 'wait' && answer.outcome.kind === 'refused'
}
