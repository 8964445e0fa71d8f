import type {
  Accepted,
  Capture,
  Deletion,
  MachineDeletion,
  MachineReading,
  Offers,
  WantedRules,
} from '@trainyard/templates/server/cloud.ts'
import type {
  AzureAccount,
  AzureImageSpec,
  AzureListedMachine,
  AzureMachineSpec,
  AzureMachineToDelete,
  AzureMachineToRead,
  AzureRef,
  AzureTaggedMachine,
  Plan,
} from './azure-spec.ts'
import { startOperation } from './calls.ts'
import { partReaders } from './part-readers.ts'
import { captureStep, discardStep } from './capture.ts'
import { azureClients, type AzureSettings } from './clients.ts'
import { machineCreator } from './create.ts'
import { deleteStep } from './delete.ts'
import { getMachine, listMachines, listTaggedMachines } from './read-machines.ts'
import { getOffers, hasAcceptedTerms } from './offers.ts'
import { setPassword } from './password.ts'
import { deleteSecurityGroup, updateRules } from './ports.ts'
import { DEFAULT_NETWORK_RANGE, sharedResources } from './shared-resources.ts'

/**
 * Minimum interval of reads. Creating a machine takes a minute or more, so one more second for its address does not
 * matter.
 */
const READ_EVERY_MS = 1_000

/** The calls of the port `Cloud` in Azure's own terms. */
export interface AzureMachines {
  createMachine(spec: AzureMachineSpec, signal: AbortSignal): Promise<Accepted>
  startMachine(at: AzureRef, signal: AbortSignal): Promise<Accepted>
  stopMachine(at: AzureRef, signal: AbortSignal): Promise<Accepted>
  restartMachine(at: AzureRef, signal: AbortSignal): Promise<Accepted>
  deleteMachine(machine: AzureMachineToDelete, signal: AbortSignal): Promise<MachineDeletion>
  captureMachine(spec: AzureImageSpec, signal: AbortSignal): Promise<Capture>
  deleteImage(spec: AzureImageSpec, signal: AbortSignal): Promise<Deletion>
  setPassword(account: AzureAccount, signal: AbortSignal): Promise<'set' | 'working'>
  updateRules(at: AzureRef, rules: WantedRules, signal: AbortSignal): Promise<'held' | 'changed' | 'absent'>
  deleteSecurityGroup(at: AzureRef, signal: AbortSignal): Promise<Deletion>
  getOffers(location: string, signal: AbortSignal): Promise<Offers>
  hasAcceptedTerms(plan: Plan, signal: AbortSignal): Promise<boolean>
  getMachine(at: AzureMachineToRead, signal: AbortSignal): Promise<MachineReading>
  listMachines(signal: AbortSignal): AsyncIterable<AzureListedMachine>
  listTaggedMachines(signal: AbortSignal): AsyncIterable<AzureTaggedMachine>
}

export function azureMachines(settings: AzureSettings): AzureMachines {
  const clients = azureClients(settings)
  const machines = clients.compute.virtualMachines
  const readers = partReaders(clients, settings.readEveryMs ?? READ_EVERY_MS)
  const create = machineCreator(
    clients,
    sharedResources(clients, settings.networkRange ?? DEFAULT_NETWORK_RANGE),
    readers,
  )
  return {
    createMachine: create,
    async startMachine({ name, resourceGroup }, signal) {
      const { at } = await startOperation(`start the machine ${name}`, signal, (options) =>
        machines.beginStart(resourceGroup, name, options),
      )
      return { at }
    },
    async stopMachine({ name, resourceGroup }, signal) {
      // The alternative `powerOff` would leave the machine billed.
      const { at } = await startOperation(`stop the machine ${name}`, signal, (options) =>
        machines.beginDeallocate(resourceGroup, name, options),
      )
      return { at }
    },
    async restartMachine({ name, resourceGroup }, signal) {
      const { at } = await startOperation(`restart the machine ${name}`, signal, (options) =>
        machines.beginRestart(resourceGroup, name, options),
      )
      return { at }
    },
    deleteMachine: (machine, signal) => deleteStep(clients, readers, machine, signal),
    captureMachine: (spec, signal) => captureStep(clients, spec, signal),
    deleteImage: (spec, signal) => discardStep(clients, spec, signal),
    setPassword: (account, signal) => setPassword(clients, account, signal),
    updateRules: (ref, rules, signal) => updateRules(clients, ref, rules, signal),
    deleteSecurityGroup: (ref, signal) => deleteSecurityGroup(clients, ref, signal),
    getOffers: (location, signal) => getOffers(clients, location, signal),
    hasAcceptedTerms: (plan, signal) => hasAcceptedTerms(clients, plan, signal),
    getMachine: (ref, signal) => getMachine(clients, ref, signal),
    listMachines: (signal) => listMachines(clients, signal),
    listTaggedMachines: (signal) => listTaggedMachines(clients, signal),
  }
}
