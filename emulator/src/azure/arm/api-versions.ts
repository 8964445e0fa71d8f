import type { FastifyRequest } from 'fastify'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { locations } from '#src/azure/arm/locations.ts'
import type { Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'

/**
 * Poll addresses accept any version.
 * @throws Refusal if the request names no version, or one not published for the type
 */
export function requestedVersion(cloud: AzureCloud, operation: Operation, request: FastifyRequest): string {
  const requested = (request.query as Record<string, string>)['api-version']
  if (requested === undefined || requested === '') {
    throw new Refusal(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    )
  }
  if (operation.versions.length === 0 || operation.versions.includes(requested)) return requested
  throw notPublished(requested, operation, locationMeant(cloud, request))
}

/**
 * Azure has three refusals: for the resource manager's types (azure-cli#28038), for a type with a known location
 * (azure-cli#28496), and for a type without one (azure-powershell#12061).
 */
function notPublished(requested: string, { method, path, versions }: Operation, location: string | undefined): Refusal {
  const type = typeIn(method, path)
  if (type === undefined) {
    return new Refusal(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${requested}' is invalid. The supported versions are '${versions.join(',')}'.`,
    )
  }
  if (location === undefined) {
    return new Refusal(
      404,
      'InvalidResourceType',
      `The resource type '${type.name}' could not be found in the namespace '${type.namespace}' for api version '${requested}'. The supported api-versions are '${versions.join(',')}'.`,
    )
  }
  return new Refusal(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for location '${location}' and API version '${requested}' for type '${type.name}'. The supported api-versions are '${versions.join(', ')}'. The supported locations are '${locations.join(', ')}'.`,
  )
}

/** Returns undefined for a type of the resource manager. */
function typeIn(method: string, path: string): { namespace: string; name: string } | undefined {
  const [namespace, ...rest] = path.split('/providers/').at(-1)?.split('/') ?? []
  if (namespace === undefined || namespace === '' || namespace.startsWith(':')) return undefined
  const named = method === 'POST' ? rest.slice(0, -1) : rest
  return { namespace, name: named.filter((part) => !part.startsWith(':')).join('/') }
}

function locationMeant(cloud: AzureCloud, { body, url, params }: FastifyRequest): string | undefined {
  const named = (body as { location?: unknown } | null | undefined)?.location
  if (typeof named === 'string') return named.toLowerCase().replaceAll(' ', '')
  const { location } = params as { location?: string }
  if (location !== undefined) return location
  const item = /^.*?\/providers\/[^/]+\/[^/]+\/[^/?]+/.exec(url)?.[0]
  return item === undefined ? undefined : cloud.resources.find(keyOf(item))?.location
}
