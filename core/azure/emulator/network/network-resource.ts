import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { envelopeOf } from '../arm/envelope.ts'
import { type Effect, endState } from '../arm/long-operations.ts'
import type { Answer, Call } from '../arm/operation.ts'
import { statusHeaders } from '../arm/polls.ts'
import { anotherOperationInProgress, missingReference, networkRefusal, notYetProvisioned } from '../arm/refusal.ts'
import { beginRemoval } from '../arm/removal.ts'
import type { Resource } from '../arm/resources.ts'
import { releasePrivateAddresses } from './private-addresses.ts'
import { durationOf } from '../durations.ts'

const validName = /^\w(?:[\w.-]{0,78}\w)?$/

export function refuseBadName(name: string): void {
  if (validName.test(name)) return
  throw networkRefusal(
    400,
    'InvalidResourceName',
    `Resource name ${name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and it must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'.`,
  )
}

export function refuseWhileUpdating(cloud: AzureCloud, id: string): void {
  const inProgress = cloud.operations.findInProgress(keyOf(id))
  if (inProgress === undefined) return
  throw anotherOperationInProgress(id, inProgress, Math.max(1, Math.ceil(12 * cloud.operations.latency)))
}

/** @throws Refusal if the resource is missing, in another location or being updated */
export function resolveReference(
  cloud: AzureCloud,
  id: string,
  referrer: string,
  location: string | undefined,
): Resource {
  const found = cloud.resources.find(keyOf(id))
  if (found === undefined || found.state === 'Deleting') throw missingReference(id, referrer)
  if (location !== undefined && found.location !== location) throw missingReference(id, referrer)
  if (found.state === 'Updating') throw notYetProvisioned(found.id, referrer, found.state)
  return found
}

/**
 * References to resource types that the emulator does not have, except those that Azure itself sets. Source:
 * publicIpAddress.json, virtualNetwork.json, networkInterface.json and networkSecurityGroup.json of
 * Microsoft.Network 2024-05-01.
 */
const REFERENCES = new Set([
  'publicIPPrefix',
  'ddosProtectionPlan',
  'natGateway',
  'serviceEndpointPolicies',
  'ipAllocations',
  'applicationSecurityGroups',
  'sourceApplicationSecurityGroups',
  'destinationApplicationSecurityGroups',
  'loadBalancerBackendAddressPools',
  'loadBalancerInboundNatRules',
  'applicationGatewayBackendAddressPools',
  'gatewayLoadBalancer',
  'virtualNetworkTaps',
])

/**
 * Resolves the references in the properties of a network resource without separate handling. Source of the
 * refusal: the recorded PUT of a network interface with a missing subnet (Test_Network_v1api20240301).
 * @throws Refusal if a referenced resource is missing
 */
export function resolveOtherReferences(
  cloud: AzureCloud,
  referrer: string,
  location: string | undefined,
  properties: unknown,
): void {
  if (typeof properties !== 'object' || properties === null) return
  for (const [name, value] of Object.entries(properties)) {
    if (!REFERENCES.has(name)) {
      resolveOtherReferences(cloud, referrer, location, value)
      continue
    }
    for (const each of [value].flat() as ({ readonly id?: unknown } | null)[])
      if (typeof each?.id === 'string') resolveReference(cloud, each.id, referrer, location)
  }
}

export function startWrite(
  cloud: AzureCloud,
  call: Call,
  key: string,
  isNew: boolean,
  view: (resource: Resource) => unknown,
  viewedKey: string = key,
  before?: unknown,
): Answer {
  const target = cloud.resources.get(key)
  const after = view(cloud.resources.get(viewedKey))
  if (before !== undefined && isUnchanged(before, after)) {
    // A change of tags only is done at once, but still has a poll address.
    const finished = cloud.operations.begin(call, target, { effect: 'network.written', seconds: 0 })
    const { 'retry-after': _, ...headers } = statusHeaders(cloud, call, finished)
    return { status: 200, headers, body: view(cloud.resources.get(viewedKey)) }
  }
  cloud.resources.setState(key, 'Updating')
  if (viewedKey !== key) cloud.resources.setState(viewedKey, 'Updating')
  const operation = cloud.operations.begin(call, target, {
    effect: 'network.written',
    seconds: durationOf('network', target.name),
  })
  return {
    status: isNew ? 201 : 200,
    headers: statusHeaders(cloud, call, operation),
    body: view(cloud.resources.get(viewedKey)),
  }
}

function isUnchanged(a: unknown, b: unknown): boolean {
  const comparable = (view: unknown) =>
    JSON.stringify(view, (name, value: unknown) => (/^(etag|provisioningState|tags)$/.test(name) ? undefined : value))
  return comparable(a) === comparable(b)
}

export function startRemoval(cloud: AzureCloud, call: Call, resource: Resource, target: Resource = resource): Answer {
  return beginRemoval(cloud, call, resource, {
    effect: resource.key === target.key ? 'network.removed' : 'network.part-removed',
    seconds: durationOf('network', resource.name),
    target: target.key,
  })
}

export function networkEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'network.written': (operation, _instant, failure) => {
      const state = endState(failure)
      cloud.resources.setState(operation.target, state)
      for (const part of cloud.resources.parts(operation.target)) {
        if (part.state === 'Updating') cloud.resources.setState(part.key, state)
      }
    },
    'network.removed': (operation, instant, failure) => {
      if (failure === null) removeResource(cloud, operation.target, instant)
      else cloud.resources.setState(operation.target, 'Failed')
    },
    'network.part-removed': (operation, instant, failure) => {
      cloud.resources.setState(operation.target, 'Succeeded')
      for (const part of cloud.resources.parts(operation.target)) {
        if (part.uid !== operation.uid) continue
        if (failure === null) cloud.resources.remove(part.key, instant)
        else cloud.resources.setState(part.key, 'Failed')
      }
    },
  }
}

export function removeResource(cloud: AzureCloud, key: string, instant: number): void {
  releasePrivateAddresses(cloud, key)
  cloud.resources.remove(key, instant)
}

export function networkEnvelope(resource: Resource): Record<string, unknown> {
  return { ...envelopeOf(resource), etag: etag(resource) }
}

export function etag(resource: Resource): string {
  return `W/"${resource.uid.slice(0, 23)}-${String(resource.revision).padStart(12, '0')}"`
}
