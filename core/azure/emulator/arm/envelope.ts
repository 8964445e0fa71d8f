import type { Resource } from './resources.ts'

/** Returns the fields that all resources have in common. */
export function envelopeOf(resource: Resource): Record<string, unknown> {
  return {
    id: resource.id,
    name: resource.name,
    type: resource.type,
    location: resource.location,
    ...(resource.tags === undefined ? {} : { tags: resource.tags }),
  }
}
