import type { AzureCloud } from '../cloud.ts'
import { envelopeOf } from '../arm/envelope.ts'
import { keyOf } from '../arm/ids.ts'
import { parseLocation, refuseMove } from '../arm/locations.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { type Effect, endState, type OperationPlan } from '../arm/long-operations.ts'
import { statusHeaders } from '../arm/polls.ts'
import { concurrentRequest, Refusal, resourceNotFound } from '../arm/refusal.ts'
import { beginRemoval, findRemovalReply } from '../arm/removal.ts'
import type { NewResource, Resource } from '../arm/resources.ts'
import { requireGroupNotDeleting, requireGroup } from '../groups/existing-group.ts'
import { idIn, requireResource } from '../groups/existing-resource.ts'
import { durationOf } from '../durations.ts'

export const galleryType = 'Microsoft.Compute/galleries'
export const definitionType = 'Microsoft.Compute/galleries/images'
export const versionType = 'Microsoft.Compute/galleries/images/versions'

export interface GalleryLevel {
  readonly type: string
  readonly list: string
  readonly operations: 'Galleries' | 'GalleryImages' | 'GalleryImageVersions'
  readonly path: string
  readonly name: 'name' | 'child' | 'version'
  /** @throws Refusal if the parent does not exist */
  parent(cloud: AzureCloud, call: Call): Resource
  readonly segment: 'galleries' | 'images' | 'versions'
}

export const galleryLevel: GalleryLevel = {
  type: galleryType,
  operations: 'Galleries',
  list: 'Galleries_ListByResourceGroup',
  path: paths.item(galleryType),
  name: 'name',
  parent: requireGroup,
  segment: 'galleries',
}

export const definitionLevel: GalleryLevel = {
  type: definitionType,
  operations: 'GalleryImages',
  list: 'GalleryImages_ListByGallery',
  path: paths.child(galleryType, 'images'),
  name: 'child',
  parent: (cloud, call) => requireResource(cloud, call, galleryType),
  segment: 'images',
}

export const versionLevel: GalleryLevel = {
  type: versionType,
  operations: 'GalleryImageVersions',
  list: 'GalleryImageVersions_ListByGalleryImage',
  path: `${definitionLevel.path}/versions/:version`,
  name: 'version',
  parent: (cloud, call) => resourceAt(cloud, call, definitionLevel),
  segment: 'versions',
}

function idAt(cloud: AzureCloud, call: Call, level: GalleryLevel): string {
  const parent = level.parent(cloud, call)
  return level === galleryLevel
    ? idIn(call, parent, galleryType)
    : `${parent.id}/${level.segment}/${param(call, level.name)}`
}

/** @throws Refusal if the resource does not exist */
function resourceAt(cloud: AzureCloud, call: Call, level: GalleryLevel): Resource {
  const id = idAt(cloud, call, level)
  const found = cloud.resources.find(keyOf(id))
  if (found === undefined) throw resourceNotFound(level.type, namesIn(id), param(call, 'group'))
  return found
}

const namesIn = (id: string): string =>
  (id.split(/\/galleries\//i)[1] ?? id).split(/\/(?:images|versions)\//i).join('/')

export function galleryView(resource: Resource, extraProperties: object = {}): unknown {
  return {
    ...envelopeOf(resource),
    properties: { ...(resource.doc.properties as object), provisioningState: resource.state, ...extraProperties },
  }
}

export interface PutTarget {
  readonly level: GalleryLevel
  readonly id: string
  readonly name: string
  readonly location: string
  readonly existing: Resource | undefined
}

/** @throws Refusal if the group is being deleted, the region is unknown, or the resource is in another region */
export function putTarget(cloud: AzureCloud, call: Call, level: GalleryLevel, region: string): PutTarget {
  const group = requireGroupNotDeleting(cloud, call)
  const id = idAt(cloud, call, level)
  const name = param(call, level.name)
  const location = parseLocation(region, level.type)
  const existing = cloud.resources.find(keyOf(id))
  if (existing !== undefined) refuseMove(name, group.name, existing.location, location)
  return { level, id, name, location, existing }
}

export function putInGallery(
  cloud: AzureCloud,
  call: Call,
  { level, id, name, location, existing }: PutTarget,
  definition: Pick<NewResource, 'tags' | 'doc'>,
  plan: OperationPlan,
): Answer {
  const key = keyOf(id)
  if (existing !== undefined && cloud.operations.findInProgress(key) !== undefined) throw concurrentRequest()
  const resource =
    existing === undefined
      ? cloud.resources.add(
          {
            id,
            type: level.type,
            subscription: param(call, 'subscription'),
            group: requireGroup(cloud, call).key,
            ...(level === galleryLevel ? {} : { parent: level.parent(cloud, call).key }),
            name,
            state: 'Creating',
            location,
            ...definition,
          },
          call.now,
        )
      : cloud.resources.change(key, { ...definition, state: level === galleryLevel ? existing.state : 'Updating' })
  const operation = cloud.operations.begin(call, resource, plan)
  return {
    status: existing === undefined ? 201 : 200,
    headers: statusHeaders(cloud, call, operation),
    body: galleryView(cloud.resources.get(key)),
  }
}

export function commonOperations(
  cloud: AzureCloud,
  level: GalleryLevel,
  extraProperties: (resource: Resource, call: Call) => object = () => ({}),
): Operation[] {
  const common = { path: level.path, versions: versions.galleries }
  return [
    {
      ...common,
      name: `${level.operations}_Get`,
      method: 'GET',
      handle: (call) => {
        const found = resourceAt(cloud, call, level)
        return { status: 200, body: galleryView(found, extraProperties(found, call)) }
      },
    },
    {
      ...common,
      name: level.list,
      path: level.path.slice(0, level.path.lastIndexOf('/')),
      method: 'GET',
      handle: (call) => {
        const parent = level.parent(cloud, call)
        const all = level === galleryLevel ? cloud.resources.inGroup(parent.key) : cloud.resources.parts(parent.key)
        return {
          status: 200,
          body: { value: all.filter(({ type }) => type === level.type).map((each) => galleryView(each)) },
        }
      },
    },
    {
      ...common,
      name: `${level.operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        requireGroup(cloud, call)
        const found = findAt(cloud, call, level)
        if (found === undefined) return { status: 204 }
        const joined = findRemovalReply(cloud, call, found)
        if (joined !== undefined) return joined
        if (cloud.operations.findInProgress(found.key) !== undefined) throw concurrentRequest()
        const child = cloud.resources.parts(found.key)[0]
        if (child !== undefined) {
          throw new Refusal(
            409,
            'CannotDeleteResource',
            `Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '${child.id}'. Please delete all nested resources before deleting this resource.`,
          )
        }
        const duration = level === versionLevel ? 'imageVersionDelete' : 'gallery'
        return beginRemoval(cloud, call, found, {
          effect: 'gallery.removed',
          seconds: durationOf(duration, found.name),
        })
      },
    },
  ]
}

function findAt(cloud: AzureCloud, call: Call, level: GalleryLevel): Resource | undefined {
  try {
    return resourceAt(cloud, call, level)
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.status === 404) return undefined
    throw refusal
  }
}

export function galleryEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'gallery.written': ({ target }, _instant, failure) => {
      cloud.resources.setState(target, endState(failure))
    },
    'gallery.removed': ({ target, uid }, instant, failure) => {
      if (failure === null) {
        cloud.accounts.forget(uid)
        cloud.resources.remove(target, instant)
      } else cloud.resources.setState(target, 'Failed')
    },
  }
}
