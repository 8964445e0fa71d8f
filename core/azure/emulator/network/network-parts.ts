import type { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { paths, param, versions, type Call, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'
import { childNotFound } from '../arm/refusal.ts'
import type { Document, Resource } from '../arm/resources.ts'
import { requireGroupNotDeleting } from '../groups/existing-group.ts'
import { requireResource } from '../groups/existing-resource.ts'
import { refuseWhileUpdating, resolveOtherReferences, startRemoval, startWrite } from './network-resource.ts'

/** A subnet or security rule: can be written alone or with the resource that contains it. */
export interface NetworkPartType<Body> {
  readonly wholeType: string
  readonly segment: 'subnets' | 'securityRules'
  readonly operations: 'Subnets' | 'SecurityRules'
  readonly shape: z.ZodType<Body>
  view(part: Resource): unknown
  put(call: Call, parent: Resource, name: string, body: Body): { key: string; isNew: boolean }
  /** @throws Refusal if another resource still uses it */
  refuseRemoval(part: Resource): void
}

export function upsertPart(
  cloud: AzureCloud,
  call: Call,
  parent: Resource,
  part: { readonly id: string; readonly type: string; readonly name: string; readonly doc: Document },
): { key: string; isNew: boolean } {
  const key = keyOf(part.id)
  const { subscription, group, location } = parent
  const isNew = cloud.resources.find(key) === undefined
  if (isNew) {
    cloud.resources.add({ ...part, subscription, group, parent: parent.key, state: 'Updating', location }, call.now)
  } else {
    cloud.resources.change(key, { doc: part.doc, state: 'Updating' })
  }
  return { key, isNew }
}

export function removeOtherParts(
  cloud: AzureCloud,
  call: Call,
  parent: Resource,
  requestedParts: readonly { readonly name?: string | undefined }[],
  refuseRemoval: (part: Resource) => void = () => {},
): void {
  const names = new Set(requestedParts.map(({ name }) => name?.toLowerCase()))
  for (const part of cloud.resources.parts(parent.key)) {
    if (names.has(part.name.toLowerCase())) continue
    refuseRemoval(part)
    cloud.resources.remove(part.key, call.now)
  }
}

export function partOperations<Body>(cloud: AzureCloud, part: NetworkPartType<Body>): Operation[] {
  const { wholeType, segment, operations } = part
  const common = { path: paths.child(wholeType, segment), versions: versions.network }
  const view = (resource: Resource): unknown => part.view(resource)
  const parentOf = (call: Call): Resource => requireResource(cloud, call, wholeType)
  const find = (call: Call): Resource | undefined =>
    cloud.resources.find(keyOf(`${parentOf(call).id}/${segment}/${param(call, 'child')}`))
  return [
    {
      ...common,
      name: `${operations}_CreateOrUpdate`,
      method: 'PUT',
      handle: (call) => {
        requireGroupNotDeleting(cloud, call)
        const parent = parentOf(call)
        refuseWhileUpdating(cloud, parent.id)
        const body = readBody(call, part.shape)
        const name = param(call, 'child')
        resolveOtherReferences(cloud, `${parent.id}/${segment}/${name}`, parent.location, body)
        const { key, isNew } = part.put(call, parent, name, body)
        return startWrite(cloud, call, parent.key, isNew, view, key)
      },
    },
    {
      ...common,
      name: `${operations}_Get`,
      method: 'GET',
      handle: (call) => {
        const found = find(call)
        if (found === undefined) throw childNotFound(call.path)
        return { status: 200, body: view(found) }
      },
    },
    {
      ...common,
      name: `${operations}_List`,
      path: paths.children(wholeType, segment),
      method: 'GET',
      handle: (call) => ({
        status: 200,
        body: { value: cloud.resources.parts(parentOf(call).key).map(view) },
      }),
    },
    {
      ...common,
      name: `${operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        const found = find(call)
        if (found === undefined) return { status: 204 }
        const parent = parentOf(call)
        refuseWhileUpdating(cloud, parent.id)
        part.refuseRemoval(found)
        return startRemoval(cloud, call, found, parent)
      },
    },
  ]
}
