import type { AzureCloud } from '#src/azure/cloud.ts'
import { locations } from '#src/azure/arm/locations.ts'
import { param, versions, type Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'

/** Namespaces that a subscription registers before it uses them, each with a few of its types. */
const namespaces: Readonly<Record<string, readonly string[]>> = {
  'Microsoft.Compute': ['virtualMachines', 'disks', 'galleries'],
  'Microsoft.Network': ['virtualNetworks', 'networkInterfaces', 'publicIPAddresses', 'networkSecurityGroups'],
  'Microsoft.MarketplaceOrdering': ['offerTypes'],
  'Microsoft.Storage': ['storageAccounts'],
}

const settingOf = (namespace: string): string => `provider ${namespace.toLowerCase()}`
const named = (namespace: string): string | undefined =>
  Object.keys(namespaces).find((known) => known.toLowerCase() === namespace.toLowerCase())

/** Registers a namespace for all subscriptions, or takes that back; at first each is registered. */
export function setRegistered(cloud: AzureCloud, namespace: string, registered: boolean): void {
  cloud.settings.write(settingOf(namespace), registered ? 'yes' : 'no')
}

const isRegistered = (cloud: AzureCloud, namespace: string): boolean =>
  cloud.settings.read(settingOf(namespace)) !== 'no'

/** Refuses what belongs to a namespace that is not registered; the namespace itself can be looked at. */
export function refuseUnregistered(cloud: AzureCloud, { path }: Operation): void {
  const [namespace = '', type] = path.split('/providers/').at(-1)?.split('/') ?? []
  if (type === undefined || isRegistered(cloud, namespace)) return
  const code = 'MissingSubscriptionRegistration'
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`
  throw new Refusal(409, code, message, { details: [{ code, message }] })
}

export function providerOperations(cloud: AzureCloud): Operation[] {
  const path = '/subscriptions/:subscription/providers/:namespace'
  const view = (subscription: string, namespace: string): object => ({
    id: `/subscriptions/${subscription}/providers/${namespace}`,
    namespace,
    resourceTypes: (namespaces[namespace] ?? []).map((resourceType) => ({ resourceType, locations, apiVersions: [] })),
    registrationState: isRegistered(cloud, namespace) ? 'Registered' : 'NotRegistered',
    registrationPolicy: 'RegistrationRequired',
  })
  const known = (namespace: string): string => {
    const found = named(namespace)
    if (found !== undefined) return found
    throw new Refusal(404, 'InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`)
  }
  return [
    {
      name: 'Providers_Get',
      method: 'GET',
      path,
      versions: versions.resources,
      handle: (call) => ({ status: 200, body: view(param(call, 'subscription'), known(param(call, 'namespace'))) }),
    },
  ]
}
