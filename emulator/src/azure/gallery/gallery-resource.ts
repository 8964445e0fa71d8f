import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import type { Effect } from '#src/azure/arm/long-operations.ts'
import { whereToLook } from '#src/azure/arm/polls.ts'
import { concurrentRequest, Refusal, resourceNotFound } from '#src/azure/arm/refusal.ts'
import type { NewResource, Resource } from '#src/azure/arm/resources.ts'
import { standingGroup } from '#src/azure/groups/standing-group.ts'
import { latencies } from '#src/azure/latencies.ts'
import { idIn, standing } from '#src/azure/network/network-resource.ts'

export const galleryType = 'Microsoft.Compute/galleries'
export const definitionType = 'Microsoft.Compute/galleries/images'
export const versionType = 'Microsoft.Compute/galleries/images/versions'

/** A gallery, an image definition in it, or a version of that: they differ in depth, and in what their PUT makes. */
export interface GalleryLevel {
  readonly type: string
  /** As the published interface calls its operations. */
  readonly operations: 'Galleries' | 'GalleryImages' | 'GalleryImageVersions'
  readonly path: string
  readonly name: 'name' | 'child' | 'version'
  /** What stands above it; the refusal when that is not there. */
  above(cloud: AzureCloud, call: Call): Resource
  readonly within: 'galleries' | 'images' | 'versions'
}

export const galleryLevel: GalleryLevel = {
  type: galleryType,
  operations: 'Galleries',
  path: at.item(galleryType),
  name: 'name',
  above: standingGroup,
  within: 'galleries',
}

export const definitionLevel: GalleryLevel = {
  type: definitionType,
  operations: 'GalleryImages',
  path: at.child(galleryType, 'images'),
  name: 'child',
  above: (cloud, call) => standing(cloud, call, galleryType),
  within: 'images',
}

export const versionLevel: GalleryLevel = {
  type: versionType,
  operations: 'GalleryImageVersions',
  path: `${definitionLevel.path}/versions/:version`,
  name: 'version',
  above: (cloud, call) => standingAt(cloud, call, definitionLevel),
  within: 'versions',
}

export function idAt(cloud: AzureCloud, call: Call, level: GalleryLevel): string {
  const above = level.above(cloud, call)
  return level === galleryLevel
    ? idIn(call, above, galleryType)
    : `${above.id}/${level.within}/${param(call, level.name)}`
}

/** What the path names, or Azure's refusal. */
export function standingAt(cloud: AzureCloud, call: Call, level: GalleryLevel): Resource {
  const id = idAt(cloud, call, level)
  const found = cloud.resources.find(keyOf(id))
  if (found === undefined) throw resourceNotFound(level.type, namesIn(id), param(call, 'group'))
  return found
}

const namesIn = (id: string): string =>
  (id.split(/\/galleries\//i)[1] ?? id).split(/\/(?:images|versions)\//i).join('/')

/** What is shown of it; `inside` is the emulator's own knowledge and is not. */
export function galleryView(resource: Resource, more: object = {}): unknown {
  return {
    id: resource.id,
    name: resource.name,
    type: resource.type,
    location: resource.location,
    ...(resource.tags === undefined ? {} : { tags: resource.tags }),
    properties: { ...(resource.doc.properties as object), provisioningState: resource.state, ...more },
  }
}

/** Makes or changes it; its work goes on for a while, in which nobody else may write it. */
export function putInGallery(
  cloud: AzureCloud,
  call: Call,
  made: Omit<NewResource, 'state'>,
  work: { readonly effect: string; readonly seconds: number },
): Answer {
  const key = keyOf(made.id)
  const standing = cloud.resources.find(key)
  if (standing !== undefined && cloud.operations.atWorkOn(key) !== undefined) throw concurrentRequest()
  const resource =
    standing === undefined
      ? cloud.resources.add({ ...made, state: 'Creating' }, call.now)
      : cloud.resources.change(key, { doc: made.doc, tags: made.tags, state: 'Updating' })
  const operation = cloud.operations.begin(call, {
    namespace: 'Microsoft.Compute',
    location: resource.location,
    target: key,
    uid: resource.uid,
    ...work,
  })
  const { location: _, ...headers } = whereToLook(call, operation)
  return { status: standing === undefined ? 201 : 200, headers, body: galleryView(cloud.resources.get(key)) }
}

/** DELETE, for every level: what still has something beneath it stays. */
export function removalOperation(cloud: AzureCloud, level: GalleryLevel): Operation {
  return {
    name: `${level.operations}_Delete`,
    method: 'DELETE',
    path: level.path,
    versions: versions.galleries,
    handle: (call) => {
      standingGroup(cloud, call)
      const found = findAt(cloud, call, level)
      if (found === undefined) return { status: 204 }
      const atWork = cloud.operations.atWorkOn(found.key)
      if (atWork !== undefined && found.state === 'Deleting') {
        return { status: 202, headers: whereToLook(call, atWork) }
      }
      if (atWork !== undefined) throw concurrentRequest()
      const beneath = cloud.resources.parts(found.key)[0]
      if (beneath !== undefined) {
        throw new Refusal(
          409,
          'CannotDeleteResource',
          `Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '${beneath.id}'. Please delete all nested resources before deleting this resource.`,
        )
      }
      cloud.resources.setState(found.key, 'Deleting')
      const operation = cloud.operations.begin(call, {
        namespace: 'Microsoft.Compute',
        location: found.location,
        target: found.key,
        uid: found.uid,
        effect: 'gallery.removed',
        seconds: latencies.gallery,
      })
      return { status: 202, headers: whereToLook(call, operation) }
    },
  }
}

/** What the path names; undefined also when what it would stand in is not there. */
function findAt(cloud: AzureCloud, call: Call, level: GalleryLevel): Resource | undefined {
  try {
    return standingAt(cloud, call, level)
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
