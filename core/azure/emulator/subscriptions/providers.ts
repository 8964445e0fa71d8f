import type { AzureCloud } from '../cloud.ts'
import { locations } from '../arm/locations.ts'
import { param, versions, type Operation } from '../arm/operation.ts'
import { Refusal } from '../arm/refusal.ts'
import { durationOf } from '../durations.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'

/** Namespaces that a subscription must register before using them, with some of their types. */
const namespaces: Readonly<Record<string, readonly string[]>> = {
  'Microsoft.Compute': ['virtualMachines', 'disks', 'galleries'],
  'Microsoft.Network': ['virtualNetworks', 'networkInterfaces', 'publicIPAddresses', 'networkSecurityGroups'],
  'Microsoft.LabServices': ['labs', 'labPlans'],
  'Microsoft.MarketplaceOrdering': ['offerTypes'],
  'Microsoft.Storage': ['storageAccounts'],
}

const settingOf = (namespace: string): string => `provider ${namespace.toLowerCase()}`
const findNamespace = (namespace: string): string | undefined =>
  Object.keys(namespaces).find((name) => name.toLowerCase() === namespace.toLowerCase())

export function setRegistered(cloud: AzureCloud, namespace: string, registered: boolean): void {
  cloud.settings.write(settingOf(namespace), registered ? 'yes' : 'no')
}

type State = 'Registered' | 'Registering' | 'NotRegistered'

function stateOf(cloud: AzureCloud, namespace: string, now: number): State {
  const set = cloud.settings.read(settingOf(namespace)) ?? 'yes'
  if (set === 'yes') return 'Registered'
  if (set === 'no') return 'NotRegistered'
  return Date.parse(set) <= now ? 'Registered' : 'Registering'
}

/** @throws Refusal for an operation of an unregistered namespace, except reading the namespace itself */
export function refuseUnregistered(cloud: AzureCloud, { path }: Operation, now: number): void {
  const [namespace = '', type] = path.split('/providers/').at(-1)?.split('/') ?? []
  if (type === undefined || stateOf(cloud, namespace, now) === 'Registered') return
  const code = 'MissingSubscriptionRegistration'
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`
  throw new Refusal(409, code, message, { details: [{ code, message }] })
}

export function providerOperations(cloud: AzureCloud): Operation[] {
  const path = '/subscriptions/:subscription/providers/:namespace'
  const view = (subscription: string, namespace: string, now: number): object => ({
    id: `/subscriptions/${subscription}/providers/${namespace}`,
    namespace,
    resourceTypes: (namespaces[namespace] ?? []).map((resourceType) => ({ resourceType, locations, apiVersions: [] })),
    registrationState: stateOf(cloud, namespace, now),
    registrationPolicy: 'RegistrationRequired',
  })
  const requireNamespace = (namespace: string): string => {
    const found = findNamespace(namespace)
    if (found !== undefined) return found
    throw new Refusal(404, 'InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`)
  }
  return [
    {
      name: 'Providers_Get',
      method: 'GET',
      path,
      versions: versions.resources,
      handle: (call) => ({
        status: 200,
        body: view(param(call, 'subscription'), requireNamespace(param(call, 'namespace')), call.now),
      }),
    },
    {
      name: 'Providers_Register',
      method: 'POST',
      path: `${path}/register`,
      versions: versions.resources,
      handle: (call) => {
        const namespace = requireNamespace(param(call, 'namespace'))
        if (stateOf(cloud, namespace, call.now) === 'NotRegistered') {
          const registeredAt = call.now + durationOf('registration', namespace) * cloud.operations.latency * 1000
          cloud.settings.write(settingOf(namespace), iso(registeredAt))
        }
        return { status: 200, body: view(param(call, 'subscription'), namespace, call.now) }
      },
    },
  ]
}
