import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { parseLocation, refuseMove } from '../arm/locations.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { listOf } from '../arm/paging.ts'
import { readBody, tags } from '../arm/read-body.ts'
import { findRemovalReply } from '../arm/removal.ts'
import type { Document, Resource } from '../arm/resources.ts'
import { requireGroup, requireGroupNotDeleting } from '../groups/existing-group.ts'
import { requireResource, findResource, idIn } from '../groups/existing-resource.ts'
import {
  refuseBadName,
  refuseWhileUpdating,
  resolveOtherReferences,
  startRemoval,
  startWrite,
} from './network-resource.ts'

export interface NetworkResourceType {
  readonly type: string
  readonly operations: string
  view(resource: Resource): unknown
  /** @throws Refusal if another resource still uses it */
  refuseRemoval(resource: Resource, now: number): void
}

interface NetworkBody {
  readonly location: string
  readonly tags?: Record<string, string> | undefined
}

export interface Upsert<Body> {
  readonly call: Call
  readonly body: Body
  readonly id: string
  readonly location: string
  readonly before: Resource | undefined
  readonly shownBefore: unknown
}

export interface UpsertOptions<Body> {
  readonly state?: 'Updating' | 'Succeeded'
  /** Default: the resource is `Updating` for two seconds. */
  finish?(resource: Resource, upsert: Upsert<Body>): Answer
}

/**
 * `toDocument` may throw a Refusal.
 * @throws Refusal for an invalid name, another location or a concurrent write
 */
export function upsertNetworkResource<Body extends NetworkBody>(
  cloud: AzureCloud,
  kind: NetworkResourceType,
  shape: z.ZodType<Body>,
  toDocument: (upsert: Upsert<Body>) => Document,
  { state = 'Updating', finish }: UpsertOptions<Body> = {},
): Operation {
  const { type } = kind
  const view = (resource: Resource): unknown => kind.view(resource)
  return {
    name: `${kind.operations}_CreateOrUpdate`,
    method: 'PUT',
    path: paths.item(type),
    versions: versions.network,
    handle: (call) => {
      const body = readBody(call, shape)
      const group = requireGroupNotDeleting(cloud, call)
      const name = param(call, 'name')
      refuseBadName(name)
      const location = parseLocation(body.location, type)
      const id = idIn(call, group, type)
      refuseWhileUpdating(cloud, id)
      const before = cloud.resources.find(keyOf(id))
      if (before !== undefined) refuseMove(name, group.name, before.location, location)
      const shownBefore = before === undefined ? undefined : view(before)
      const upsert = { call, body, id, location, before, shownBefore }
      resolveOtherReferences(cloud, id, location, call.body)
      const doc = toDocument(upsert)
      const subscription = param(call, 'subscription')
      const newResource = { id, type, subscription, group: group.key, name, state, location, tags: body.tags, doc }
      const resource =
        before === undefined
          ? cloud.resources.add(newResource, call.now)
          : cloud.resources.change(before.key, { tags: body.tags, doc })
      return finish === undefined
        ? startWrite(cloud, call, resource.key, before === undefined, view)
        : finish(resource, upsert)
    },
  }
}

export function commonOperations(cloud: AzureCloud, kind: NetworkResourceType): Operation[] {
  const { type, operations } = kind
  const common = { versions: versions.network, path: paths.item(type) }
  return [
    {
      ...common,
      name: `${operations}_Get`,
      method: 'GET',
      handle: (call) => ({ status: 200, body: kind.view(requireResource(cloud, call, type)) }),
    },
    {
      ...common,
      name: `${operations}_UpdateTags`,
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        requireGroupNotDeleting(cloud, call)
        const resource = requireResource(cloud, call, type)
        refuseWhileUpdating(cloud, resource.id)
        return { status: 200, body: kind.view(cloud.resources.change(resource.key, { tags: body.tags ?? {} })) }
      },
    },
    {
      ...common,
      name: `${operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        const resource = findResource(cloud, call, type)
        if (resource === undefined) return { status: 204 }
        const joined = findRemovalReply(cloud, call, resource)
        if (joined !== undefined) return joined
        refuseWhileUpdating(cloud, resource.id)
        kind.refuseRemoval(resource, call.now)
        return startRemoval(cloud, call, resource)
      },
    },
    {
      ...common,
      name: `${operations}_List`,
      path: paths.list(type),
      method: 'GET',
      handle: (call) => {
        requireGroup(cloud, call)
        return listOf(cloud, call, type, (resource) => kind.view(resource))
      },
    },
    {
      ...common,
      name: `${operations}_ListAll`,
      path: paths.all(type),
      method: 'GET',
      handle: (call) => listOf(cloud, call, type, (resource) => kind.view(resource)),
    },
  ]
}
