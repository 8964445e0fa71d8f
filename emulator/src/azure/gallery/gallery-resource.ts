import type { AzureCloud } from '#src/azure/cloud.ts'
import { envelopeOf } from '#src/azure/arm/envelope.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { placeNamed, refuseMove } from '#src/azure/arm/locations.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import type { Effect, Work } from '#src/azure/arm/long-operations.ts'
import { whereItsStatusIs } from '#src/azure/arm/polls.ts'
import { concurrentRequest, Refusal, resourceNotFound } from '#src/azure/arm/refusal.ts'
import { beginRemoval, removalAtWork } from '#src/azure/arm/removal.ts'
import type { NewResource, Resource } from '#src/azure/arm/resources.ts'
import { openGroup, existingGroup } from '#src/azure/groups/existing-group.ts'
import { idIn, existingResource } from '#src/azure/groups/existing-resource.ts'
import { durationOf } from '#src/azure/durations.ts'

export const galleryType = 'Microsoft.Compute/galleries'
export const definitionType = 'Microsoft.Compute/galleries/images'
export const versionType = 'Microsoft.Compute/galleries/images/versions'

/** A gallery, an image definition in it, or a version of that: they differ in depth, and in what their PUT makes. */
export interface GalleryLevel {
  readonly type: string
  /** As the published interface calls its operations. */
  readonly list: string
  readonly operations: 'Galleries' | 'GalleryImages' | 'GalleryImageVersions'
  readonly path: string
  readonly name: 'name' | 'child' | 'version'
  /** Returns the parent resource. Throws the refusal when that does not exist. */
  above(cloud: AzureCloud, call: Call): Resource
  readonly within: 'galleries' | 'images' | 'versions'
}

export const galleryLevel: GalleryLevel = {
  type: galleryType,
  operations: 'Galleries',
  list: 'Galleries_ListByResourceGroup',
  path: at.item(galleryType),
  name: 'name',
  above: existingGroup,
  within: 'galleries',
}

export const definitionLevel: GalleryLevel = {
  type: definitionType,
  operations: 'GalleryImages',
  list: 'GalleryImages_ListByGallery',
  path: at.child(galleryType, 'images'),
  name: 'child',
  above: (cloud, call) => existingResource(cloud, call, galleryType),
  within: 'images',
}

export const versionLevel: GalleryLevel = {
  type: versionType,
  operations: 'GalleryImageVersions',
  list: 'GalleryImageVersions_ListByGalleryImage',
  path: `${definitionLevel.path}/versions/:version`,
  name: 'version',
  above: (cloud, call) => resourceAt(cloud, call, definitionLevel),
  within: 'versions',
}

function idAt(cloud: AzureCloud, call: Call, level: GalleryLevel): string {
  const above = level.above(cloud, call)
  return level === galleryLevel
    ? idIn(call, above, galleryType)
    : `${above.id}/${level.within}/${param(call, level.name)}`
}

/** Returns the resource that the path names. Throws Azure's refusal when there is none. */
function resourceAt(cloud: AzureCloud, call: Call, level: GalleryLevel): Resource {
  const id = idAt(cloud, call, level)
  const found = cloud.resources.find(keyOf(id))
  if (found === undefined) throw resourceNotFound(level.type, namesIn(id), param(call, 'group'))
  return found
}

const namesIn = (id: string): string =>
  (id.split(/\/galleries\//i)[1] ?? id).split(/\/(?:images|versions)\//i).join('/')

/** Returns the resource as shown; `inside` is the emulator's own knowledge and is left out. */
export function galleryView(resource: Resource, more: object = {}): unknown {
  return {
    ...envelopeOf(resource),
    properties: { ...(resource.doc.properties as object), provisioningState: resource.state, ...more },
  }
}

/** Where a PUT puts something, and what stands there already. */
export interface Place {
  readonly level: GalleryLevel
  readonly id: string
  readonly name: string
  readonly location: string
  readonly existing: Resource | undefined
}

/** Refuses a group on its way out, a region that there is none, and to move what stands. */
export function placeOfPut(cloud: AzureCloud, call: Call, level: GalleryLevel, region: string): Place {
  const group = openGroup(cloud, call)
  const id = idAt(cloud, call, level)
  const name = param(call, level.name)
  const location = placeNamed(region, level.type)
  const existing = cloud.resources.find(keyOf(id))
  if (existing !== undefined) refuseMove(name, group.name, existing.location, location)
  return { level, id, name, location, existing }
}

/** Makes or changes it; its work goes on for a while, in which nobody else may write it. */
export function putInGallery(
  cloud: AzureCloud,
  call: Call,
  { level, id, name, location, existing }: Place,
  made: Pick<NewResource, 'tags' | 'doc'>,
  work: Work,
): Answer {
  const key = keyOf(id)
  if (existing !== undefined && cloud.operations.atWorkOn(key) !== undefined) throw concurrentRequest()
  const resource =
    existing === undefined
      ? cloud.resources.add(
          {
            id,
            type: level.type,
            subscription: param(call, 'subscription'),
            group: existingGroup(cloud, call).key,
            ...(level === galleryLevel ? {} : { parent: level.above(cloud, call).key }),
            name,
            state: 'Creating',
            location,
            ...made,
          },
          call.now,
        )
      : cloud.resources.change(key, { ...made, state: level === galleryLevel ? existing.state : 'Updating' })
  const operation = cloud.operations.begin(call, resource, work)
  return {
    status: existing === undefined ? 201 : 200,
    headers: whereItsStatusIs(cloud, call, operation),
    body: galleryView(cloud.resources.get(key)),
  }
}

/** GET and DELETE, for every level: what still has something beneath it stays. */
export function usualOperations(
  cloud: AzureCloud,
  level: GalleryLevel,
  more: (resource: Resource, call: Call) => object = () => ({}),
): Operation[] {
  const common = { path: level.path, versions: versions.galleries }
  return [
    {
      ...common,
      name: `${level.operations}_Get`,
      method: 'GET',
      handle: (call) => {
        const found = resourceAt(cloud, call, level)
        return { status: 200, body: galleryView(found, more(found, call)) }
      },
    },
    {
      ...common,
      name: level.list,
      path: level.path.slice(0, level.path.lastIndexOf('/')),
      method: 'GET',
      handle: (call) => {
        const above = level.above(cloud, call)
        const all = level === galleryLevel ? cloud.resources.inGroup(above.key) : cloud.resources.parts(above.key)
        return {
          status: 200,
          body: { value: all.filter(({ type }) => type === level.type).map((one) => galleryView(one)) },
        }
      },
    },
    {
      ...common,
      name: `${level.operations}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        existingGroup(cloud, call)
        const found = findAt(cloud, call, level)
        if (found === undefined) return { status: 204 }
        const joined = removalAtWork(cloud, call, found)
        if (joined !== undefined) return joined
        if (cloud.operations.atWorkOn(found.key) !== undefined) throw concurrentRequest()
        const beneath = cloud.resources.parts(found.key)[0]
        if (beneath !== undefined) {
          throw new Refusal(
            409,
            'CannotDeleteResource',
            `Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '${beneath.id}'. Please delete all nested resources before deleting this resource.`,
          )
        }
        const takes = level === versionLevel ? 'imageVersionDelete' : 'gallery'
        return beginRemoval(cloud, call, found, { effect: 'gallery.removed', seconds: durationOf(takes, found.name) })
      },
    },
  ]
}

/** Returns the resource that the path names; undefined also when its parent does not exist. */
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
      cloud.resources.setState(target, failure === null ? 'Succeeded' : 'Failed')
    },
    'gallery.removed': ({ target, uid }, instant, failure) => {
      if (failure === null) {
        cloud.accounts.forget(uid)
        cloud.resources.remove(target, instant)
      } else cloud.resources.setState(target, 'Failed')
    },
  }
}
