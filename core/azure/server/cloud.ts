import type { Cloud, CloudMachineRef } from '@trainyard/templates/server/cloud.ts'
import type { AzureRef } from './azure-spec.ts'
import type { AzureSettings } from './clients.ts'
import { azureMachines } from './machines.ts'
import { azureMachineOf, imageOf, placeOf } from './azure-machine.ts'

/** The machines of an Azure subscription as a provider of the portal. */
export function azureCloud(settings: AzureSettings): Cloud {
  const azure = azureMachines(settings)
  return {
    createMachine: async (spec, signal) => azure.createMachine(azureMachineOf(spec), signal),
    startMachine: (at, signal) => azure.startMachine(named(at), signal),
    stopMachine: (at, signal) => azure.stopMachine(named(at), signal),
    restartMachine: (at, signal) => azure.restartMachine(named(at), signal),
    deleteMachine: (machine, signal) => azure.deleteMachine(named(machine), signal),
    captureMachine: async (image, signal) => azure.captureMachine(located(image), signal),
    deleteImage: async (image, signal) => azure.deleteImage(located(image), signal),
    setPassword: async (account, signal) => azure.setPassword(located(account), signal),
    updateRules: (at, rules, signal) => azure.updateRules(named(at), rules, signal),
    deleteSecurityGroup: (at, signal) => azure.deleteSecurityGroup(named(at), signal),
    getOffers: (location, signal) => azure.getOffers(location, signal),
    async hasAcceptedTerms(reference, signal) {
      const image = imageOf(reference)
      if (image.kind !== 'marketplace' || (await azure.hasAcceptedTerms(image.plan, signal))) return true
      return `The marketplace terms of ${image.plan.name} are not accepted yet. Ask the portal's operator to accept them at the cloud provider.`
    },
    getMachine: (at, signal) => azure.getMachine(named(at), signal),
    async *listMachines(signal) {
      for await (const machine of azure.listMachines(signal)) yield placed(machine)
    },
    async *listTaggedMachines(signal) {
      for await (const machine of azure.listTaggedMachines(signal)) yield placed(machine)
    },
  }
}

const named = <T extends CloudMachineRef>({ place, ...rest }: T) => ({ ...rest, resourceGroup: place.group })

const located = <T extends { readonly place: Parameters<typeof placeOf>[0]; readonly name: string }>({
  place,
  ...rest
}: T) => {
  const { group, location } = placeOf(place)
  return { ...rest, resourceGroup: group, location }
}

const placed = <T extends AzureRef>({ resourceGroup, ...rest }: T) => ({ ...rest, place: { group: resourceGroup } })
