import type { Accepted, MachineSpec } from '../cloud.ts'
import { CloudError } from '../errors.ts'
import { order, type Made } from './ask.ts'
import type { AzureClients } from './clients.ts'
import type { LooksAtBrought } from './brought.ts'
import type { LookTogether } from './look-together.ts'
import { machineBody } from './machine-body.ts'
import { addressName, networkInterfaceName, machineTags } from './names.ts'
import { settled } from './settled.ts'
import type { Surroundings, SurroundingsMaker } from './surroundings.ts'
import { ownImages } from './own-image.ts'
import { azureErrorIn } from './errors.ts'

/**
 * Returns a function that creates a machine and its parts. Each is a PUT on a name derived from the machine's, so
 * repeats are safe.
 */
export function machineMaker(clients: AzureClients, surroundings: SurroundingsMaker, looks: LooksAtBrought) {
  const own = ownImages(clients)
  return async (spec: MachineSpec, signal: AbortSignal): Promise<Accepted> => {
    try {
      const around = await surroundings.ensure(spec, signal)
      const image = await own(spec.image)
      const address = await putAddress(clients, spec, looks.address, signal)
      const networkInterface = await putNetworkInterface(
        clients,
        spec,
        around,
        idOf(address),
        looks.networkInterface,
        signal,
      )
      const { at } = await order(
        `create the machine ${spec.name}`,
        signal,
        (options) =>
          clients.compute.virtualMachines.beginCreateOrUpdate(
            spec.resourceGroup,
            spec.name,
            machineBody(spec, networkInterface, image),
            options,
          ),
        spec.adminPassword,
      )
      return { at, ...(address.ipAddress === undefined ? {} : { publicAddress: address.ipAddress }) }
    } catch (problem) {
      if (pointsNowhere(problem)) surroundings.forget(spec.resourceGroup)
      throw problem
    }
  }
}

/** Creates the machine's static address; Azure assigns it immediately. */
async function putAddress(
  { network }: AzureClients,
  spec: MachineSpec,
  lookAt: LookTogether<Made>,
  signal: AbortSignal,
): Promise<Made> {
  const name = addressName(spec)
  const asked = await order(`create the address of ${spec.name}`, signal, (options) =>
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
  const look = () => lookAt(spec.resourceGroup, name, signal)
  return settled(`the address of ${spec.name}`, asked.body, look, signal)
}

async function putNetworkInterface(
  { network }: AzureClients,
  spec: MachineSpec,
  around: Surroundings,
  address: string,
  lookAt: LookTogether<Made>,
  signal: AbortSignal,
): Promise<string> {
  const name = networkInterfaceName(spec)
  const asked = await order(`create the network interface of ${spec.name}`, signal, (options) =>
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
            // Azure applies the deleteOption of this reference when the network interface is deleted, not the address's
            // own.
            publicIPAddress: { id: address, deleteOption: 'Delete' },
          },
        ],
      },
      options,
    ),
  )
  const look = () => lookAt(spec.resourceGroup, name, signal)
  return idOf(await settled(`the network interface of ${spec.name}`, asked.body, look, signal))
}

function idOf(made: { readonly id?: string }): string {
  if (made.id !== undefined) return made.id
  throw new CloudError('unreachable', 'The response from Azure contains no resource id.')
}

/** Returns true if Azure says that a referenced resource does not exist: our cached ids are outdated. */
function pointsNowhere(problem: unknown): boolean {
  const answer = azureErrorIn(problem)
  return answer?.outcome.is === 'conflict' && (answer.status === 404 || answer.code === 'InvalidResourceReference')
}
