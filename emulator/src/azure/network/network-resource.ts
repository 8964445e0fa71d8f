import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { envelopeOf } from '#src/azure/arm/envelope.ts'
import type { Effect } from '#src/azure/arm/long-operations.ts'
import type { Answer, Call } from '#src/azure/arm/operation.ts'
import { whereItsStatusIs } from '#src/azure/arm/polls.ts'
import { anotherOperationAtWork, missingReference, networkRefusal, notYetProvisioned } from '#src/azure/arm/refusal.ts'
import { beginRemoval } from '#src/azure/arm/removal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { freePrivateAddresses } from '#src/azure/network/private-addresses.ts'
import { durationOf } from '#src/azure/durations.ts'

const validName = /^\w(?:[\w.-]{0,78}\w)?$/

export function refuseBadName(name: string): void {
  if (validName.test(name)) return
  throw networkRefusal(
    400,
    'InvalidResourceName',
    `Resource name ${name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and it must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'.`,
  )
}

/** Refuses while another writer is at work on it. */
export function refuseWhileAtWork(cloud: AzureCloud, id: string): void {
  const atWork = cloud.operations.atWorkOn(keyOf(id))
  if (atWork === undefined) return
  throw anotherOperationAtWork(id, atWork, Math.max(1, Math.ceil(12 * cloud.operations.latency)))
}

/** Returns the resource that an id in a request refers to: it has to stand in the same place, and not be in the middle of a change. */
export function referred(cloud: AzureCloud, id: string, by: string, location: string | undefined): Resource {
  const found = cloud.resources.find(keyOf(id))
  if (found === undefined || found.state === 'Deleting') throw missingReference(id, by)
  if (location !== undefined && found.location !== location) throw missingReference(id, by)
  if (found.state === 'Updating') throw notYetProvisioned(found.id, by, found.state)
  return found
}

/** Begins the two seconds in which a network resource is `Updating`, and answers with it. */
export function written(
  cloud: AzureCloud,
  call: Call,
  key: string,
  made: boolean,
  view: (resource: Resource) => unknown,
  shown: string = key,
  before?: unknown,
): Answer {
  const target = cloud.resources.get(key)
  const after = view(cloud.resources.get(shown))
  if (before !== undefined && saysTheSame(before, after)) {
    // Nothing but tags is another: that is done at once, and yet there is an operation to look at.
    const done = cloud.operations.begin(call, target, { effect: 'network.written', seconds: 0 })
    const { 'retry-after': _, ...headers } = whereItsStatusIs(cloud, call, done)
    return { status: 200, headers, body: view(cloud.resources.get(shown)) }
  }
  cloud.resources.setState(key, 'Updating')
  if (shown !== key) cloud.resources.setState(shown, 'Updating')
  const operation = cloud.operations.begin(call, target, {
    effect: 'network.written',
    seconds: durationOf('network', target.name),
  })
  return {
    status: made ? 201 : 200,
    headers: whereItsStatusIs(cloud, call, operation),
    body: view(cloud.resources.get(shown)),
  }
}

/** All but what changes with every write. */
function saysTheSame(one: unknown, other: unknown): boolean {
  const said = (view: unknown) =>
    JSON.stringify(view, (name, value: unknown) => (/^(etag|provisioningState|tags)$/.test(name) ? undefined : value))
  return said(one) === said(other)
}

/** Takes away a resource, or a part of one: then the whole is at work. */
export function removal(cloud: AzureCloud, call: Call, resource: Resource, target: Resource = resource): Answer {
  return beginRemoval(cloud, call, resource, {
    effect: resource.key === target.key ? 'network.removed' : 'network.part-removed',
    seconds: durationOf('network', resource.name),
    target: target.key,
  })
}

export function networkEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'network.written': (operation, _instant, failure) => {
      const state = failure === null ? 'Succeeded' : 'Failed'
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

/** Takes a resource away and gives back the private addresses that its parts held. */
export function removeResource(cloud: AzureCloud, key: string, instant: number): void {
  freePrivateAddresses(cloud, key)
  cloud.resources.remove(key, instant)
}

/** Returns the fields that every network resource shows at its top. */
export function top(resource: Resource): Record<string, unknown> {
  return { ...envelopeOf(resource), etag: etag(resource) }
}

export function etag(resource: Resource): string {
  return `W/"${resource.uid.slice(0, 23)}-${String(resource.revision).padStart(12, '0')}"`
}
