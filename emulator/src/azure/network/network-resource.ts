import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf, resourceId } from '#src/azure/arm/ids.ts'
import type { Effect } from '#src/azure/arm/long-operations.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { listOf } from '#src/azure/arm/paging.ts'
import { whereToLook } from '#src/azure/arm/polls.ts'
import { readBody, tags } from '#src/azure/arm/read-body.ts'
import {
  anotherOperationAtWork,
  missingReference,
  notYetProvisioned,
  Refusal,
  resourceNotFound,
} from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { openGroup, standingGroup } from '#src/azure/groups/standing-group.ts'
import { freePrivateAddresses } from '#src/azure/network/private-addresses.ts'
import { latencies } from '#src/azure/latencies.ts'

/** What the kinds of network resources differ in, as far as reading and removing them goes. */
export interface NetworkKind {
  readonly type: string
  /** As the published interface calls the group of operations: NetworkInterfaces, PublicIPAddresses. */
  readonly operations: string
  view(resource: Resource): unknown
  /** Throws the refusal when something still needs it. */
  refuseRemoval(resource: Resource): void
}

const validName = /^\w(?:[\w.-]{0,78}\w)?$/

export function refuseBadName(name: string): void {
  if (validName.test(name)) return
  throw new Refusal(
    400,
    'InvalidResourceName',
    `Resource name ${name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and it must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'.`,
  )
}

export function idIn(call: Call, group: Resource, type: string): string {
  return resourceId(param(call, 'subscription'), group.name, type, param(call, 'name'))
}

/** The resource that the path names, or Azure's refusal. */
export function standing(cloud: AzureCloud, call: Call, type: string): Resource {
  const group = standingGroup(cloud, call)
  const found = cloud.resources.find(keyOf(idIn(call, group, type)))
  if (found === undefined) throw resourceNotFound(type, param(call, 'name'), group.name)
  return found
}

/** Refuses while another writer is at work on it. */
export function refuseWhileAtWork(cloud: AzureCloud, id: string): void {
  if (cloud.operations.atWorkOn(keyOf(id)) !== undefined) throw anotherOperationAtWork(id)
}

/** What an id in a request refers to: it has to stand in the same place, and not be in the middle of a change. */
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
): Answer {
  const target = cloud.resources.get(key)
  cloud.resources.setState(key, 'Updating')
  if (shown !== key) cloud.resources.setState(shown, 'Updating')
  const operation = cloud.operations.begin(call, {
    namespace: 'Microsoft.Network',
    location: target.location,
    target: key,
    uid: target.uid,
    effect: 'network.written',
    seconds: latencies.network,
  })
  return {
    status: made ? 201 : 200,
    headers: onlyStatus(whereToLook(call, operation)),
    body: view(cloud.resources.get(shown)),
  }
}

/** A PUT points at the status only: the result is the resource itself. */
function onlyStatus(headers: Record<string, string>): Record<string, string> {
  const { location: _, ...rest } = headers
  return rest
}

export function removal(cloud: AzureCloud, call: Call, resource: Resource, target: Resource = resource): Answer {
  cloud.resources.setState(resource.key, 'Deleting')
  const operation = cloud.operations.begin(call, {
    namespace: 'Microsoft.Network',
    location: resource.location,
    target: target.key,
    uid: resource.uid,
    effect: resource.key === target.key ? 'network.removed' : 'network.part-removed',
    seconds: latencies.network,
  })
  return { status: 202, headers: whereToLook(call, operation) }
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
      if (failure === null) removeStanding(cloud, operation.target, instant)
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
export function removeStanding(cloud: AzureCloud, key: string, instant: number): void {
  freePrivateAddresses(cloud, key)
  cloud.resources.remove(key, instant)
}

/** GET, DELETE, both lists and the tags of a kind; the PUT is each kind's own. */
export function usualOperations(cloud: AzureCloud, kind: NetworkKind): Operation[] {
  const { type, operations } = kind
  const common = { versions: versions.network, path: at.item(type) }
  return [
    {
      ...common,
      name: `${operations}_Get`,
      method: 'GET',
      handle: (call) => ({ status: 200, body: kind.view(standing(cloud, call, type)) }),
    },
    {
      ...common,
      name: `${operations}_UpdateTags`,
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        openGroup(cloud, call)
        const resource = standing(cloud, call, type)
        refuseWhileAtWork(cloud, resource.id)
        return { status: 200, body: kind.view(cloud.resources.change(resource.key, { tags: body.tags ?? {} })) }
      },
    },
    {
      ...common,
      name: `${operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        const group = standingGroup(cloud, call)
        const resource = cloud.resources.find(keyOf(idIn(call, group, type)))
        if (resource === undefined) return { status: 204 }
        const atWork = cloud.operations.atWorkOn(resource.key)
        if (atWork !== undefined && resource.state === 'Deleting') {
          return { status: 202, headers: whereToLook(call, atWork) }
        }
        if (atWork !== undefined) throw anotherOperationAtWork(resource.id)
        kind.refuseRemoval(resource)
        return removal(cloud, call, resource)
      },
    },
    {
      ...common,
      name: `${operations}_List`,
      path: at.list(type),
      method: 'GET',
      handle: (call) => {
        standingGroup(cloud, call)
        return listOf(cloud, call, type, (resource) => kind.view(resource))
      },
    },
    {
      ...common,
      name: `${operations}_ListAll`,
      path: at.all(type),
      method: 'GET',
      handle: (call) => listOf(cloud, call, type, (resource) => kind.view(resource)),
    },
  ]
}

/** What the view of every network resource has at its top. */
export function top(resource: Resource): Record<string, unknown> {
  return {
    id: resource.id,
    name: resource.name,
    type: resource.type,
    etag: etag(resource),
    location: resource.location,
    ...(resource.tags === undefined ? {} : { tags: resource.tags }),
  }
}

export function etag(resource: Resource): string {
  return `W/"${resource.uid.slice(0, 23)}-${String(resource.revision).padStart(12, '0')}"`
}
