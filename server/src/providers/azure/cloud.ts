import type { Cloud } from '../cloud.ts'
import { order } from './ask.ts'
import { looksAtBrought } from './brought.ts'
import { captureStep, discardStep } from './capture.ts'
import { azureClients, type AzureSettings } from './clients.ts'
import { machineMaker } from './create.ts'
import { deleteStep } from './delete.ts'
import { lookAt, lookAtAll, taggedMachines } from './look.ts'
import { offersAt, termsAccepted } from './offers.ts'
import { setPassword } from './password.ts'
import { deleteSecurityGroup, holdPorts } from './ports.ts'
import { surroundingsMaker } from './surroundings.ts'

/** Creating a machine takes a minute or more, so one second more for its address does not matter. */
const LOOK_EVERY_MS = 1_000

/** Manages machines in one Azure subscription, on Azure's official SDK. Throws `CloudError` except for bugs. */
export function azureCloud(settings: AzureSettings): Cloud {
  const clients = azureClients(settings)
  const machines = clients.compute.virtualMachines
  const looks = looksAtBrought(clients, settings.lookEveryMs ?? LOOK_EVERY_MS)
  const create = machineMaker(clients, surroundingsMaker(clients), looks)
  return {
    createMachine: create,
    async startMachine({ name, resourceGroup }, signal) {
      const { at } = await order(`start the machine ${name}`, signal, (options) =>
        machines.beginStart(resourceGroup, name, options),
      )
      return { at }
    },
    async stopMachine({ name, resourceGroup }, signal) {
      // powerOff would leave the machine billed.
      const { at } = await order(`stop the machine ${name}`, signal, (options) =>
        machines.beginDeallocate(resourceGroup, name, options),
      )
      return { at }
    },
    async restartMachine({ name, resourceGroup }, signal) {
      const { at } = await order(`restart the machine ${name}`, signal, (options) =>
        machines.beginRestart(resourceGroup, name, options),
      )
      return { at }
    },
    deleteMachine: (machine, signal) => deleteStep(clients, looks, machine, signal),
    captureMachine: (spec, signal) => captureStep(clients, spec, signal),
    discardImage: (spec, signal) => discardStep(clients, spec, signal),
    setPassword: (account, signal) => setPassword(clients, account, signal),
    holdPorts: (place, ports, signal) => holdPorts(clients, place, ports, signal),
    deleteSecurityGroup: (place, signal) => deleteSecurityGroup(clients, place, signal),
    offersAt: (location, signal) => offersAt(clients, location, signal),
    termsAccepted: (plan, signal) => termsAccepted(clients, plan, signal),
    lookAtMachine: (place, signal) => lookAt(clients, place, signal),
    lookAtAllMachines: (signal) => lookAtAll(clients, signal),
    taggedMachines: (signal) => taggedMachines(clients, signal),
  }
}
