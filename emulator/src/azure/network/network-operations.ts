import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { placeNamed, refuseMove } from '#src/azure/arm/locations.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { listOf } from '#src/azure/arm/paging.ts'
import { readBody, tags } from '#src/azure/arm/read-body.ts'
import { removalAtWork } from '#src/azure/arm/removal.ts'
import type { Document, Resource } from '#src/azure/arm/resources.ts'
import { existingGroup, openGroup } from '#src/azure/groups/existing-group.ts'
import { existingResource, findNamed, idIn } from '#src/azure/groups/existing-resource.ts'
import { refuseBadName, refuseWhileAtWork, removal, written } from '#src/azure/network/network-resource.ts'

/** The kinds of network resources differ in these, as far as reading and removing them goes. */
export interface NetworkKind {
  readonly type: string
  /** As the published interface calls the group of operations: NetworkInterfaces, PublicIPAddresses. */
  readonly operations: string
  view(resource: Resource): unknown
  /** Throws the refusal when something still needs it. */
  refuseRemoval(resource: Resource, now: number): void
}

/** The body of a PUT, as far as all kinds share it. */
interface NetworkBody {
  readonly location: string
  readonly tags?: Record<string, string> | undefined
}

/** A PUT that is about to make a resource, or to change the one that stands. */
export interface Upsert<Body> {
  readonly call: Call
  readonly body: Body
  readonly id: string
  readonly location: string
  /** undefined: there is none yet. */
  readonly before: Resource | undefined
  /** The view of the one that stands, before the change. */
  readonly shownBefore: unknown
}

export interface UpsertOptions<Body> {
  /** State of one just made. */
  readonly state?: 'Updating' | 'Succeeded'
  /** Does the rest once the document stands, and answers; left out: the resource is `Updating` for two seconds. */
  finish?(resource: Resource, upsert: Upsert<Body>): Answer
}

/**
 * The PUT of a kind: refuses a bad name, a move and a second writer, then stores what `toDocument` makes of the body,
 * which may refuse too.
 */
export function upsertNetworkResource<Body extends NetworkBody>(
  cloud: AzureCloud,
  kind: NetworkKind,
  shape: z.ZodType<Body>,
  toDocument: (upsert: Upsert<Body>) => Document,
  { state = 'Updating', finish }: UpsertOptions<Body> = {},
): Operation {
  const { type } = kind
  const view = (resource: Resource): unknown => kind.view(resource)
  return {
    name: `${kind.operations}_CreateOrUpdate`,
    method: 'PUT',
    path: at.item(type),
    versions: versions.network,
    handle: (call) => {
      const body = readBody(call, shape)
      const group = openGroup(cloud, call)
      const name = param(call, 'name')
      refuseBadName(name)
      const location = placeNamed(body.location, type)
      const id = idIn(call, group, type)
      refuseWhileAtWork(cloud, id)
      const before = cloud.resources.find(keyOf(id))
      if (before !== undefined) refuseMove(name, group.name, before.location, location)
      const shownBefore = before === undefined ? undefined : view(before)
      const upsert = { call, body, id, location, before, shownBefore }
      const doc = toDocument(upsert)
      const subscription = param(call, 'subscription')
      const made = { id, type, subscription, group: group.key, name, state, location, tags: body.tags, doc }
      const resource =
        before === undefined
          ? cloud.resources.add(made, call.now)
          : cloud.resources.change(before.key, { tags: body.tags, doc })
      return finish === undefined
        ? written(cloud, call, resource.key, before === undefined, view)
        : finish(resource, upsert)
    },
  }
}

/** GET, DELETE, both lists and the tags of a kind. */
export function usualOperations(cloud: AzureCloud, kind: NetworkKind): Operation[] {
  const { type, operations } = kind
  const common = { versions: versions.network, path: at.item(type) }
  return [
    {
      ...common,
      name: `${operations}_Get`,
      method: 'GET',
      handle: (call) => ({ status: 200, body: kind.view(existingResource(cloud, call, type)) }),
    },
    {
      ...common,
      name: `${operations}_UpdateTags`,
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        openGroup(cloud, call)
        const resource = existingResource(cloud, call, type)
        refuseWhileAtWork(cloud, resource.id)
        return { status: 200, body: kind.view(cloud.resources.change(resource.key, { tags: body.tags ?? {} })) }
      },
    },
    {
      ...common,
      name: `${operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        const resource = findNamed(cloud, call, type)
        if (resource === undefined) return { status: 204 }
        const joined = removalAtWork(cloud, call, resource)
        if (joined !== undefined) return joined
        refuseWhileAtWork(cloud, resource.id)
        kind.refuseRemoval(resource, call.now)
        return removal(cloud, call, resource)
      },
    },
    {
      ...common,
      name: `${operations}_List`,
      path: at.list(type),
      method: 'GET',
      handle: (call) => {
        existingGroup(cloud, call)
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
