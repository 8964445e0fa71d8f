import type { FastifyRequest } from 'fastify'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from './ids.ts'
import { locations } from './locations.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'

/**
 * Returns the api-version of the request. Poll URLs accept any.
 * @throws Refusal if the request has no version, or one that is not published for the type
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
  throw unpublishedVersion(requested, operation, requestedLocation(cloud, request))
}

/**
 * Azure refuses in three ways: for the resource manager's types (azure-cli#28038), for a type with a known location
 * (azure-cli#28496), and for a type without one (azure-powershell#12061).
 */
function unpublishedVersion(
  requested: string,
  { method, path, versions }: Operation,
  location: string | undefined,
): Refusal {
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

/** Returns the resource type in the path, or undefined for a type of the resource manager itself. */
function typeIn(method: string, path: string): { namespace: string; name: string } | undefined {
  const [namespace, ...rest] = path.split('/providers/').at(-1)?.split('/') ?? []
  if (namespace === undefined || namespace === '' || namespace.startsWith(':')) return undefined
  const typeParts = method === 'POST' ? rest.slice(0, -1) : rest
  return { namespace, name: typeParts.filter((part) => !part.startsWith(':')).join('/') }
}

function requestedLocation(cloud: AzureCloud, { body, url, params }: FastifyRequest): string | undefined {
  const bodyLocation = (body as { location?: unknown } | null | undefined)?.location
  if (typeof bodyLocation === 'string') return bodyLocation.toLowerCase().replaceAll(' ', '')
  const { location } = params as { location?: string }
  if (location !== undefined) return location
  const item = /^.*?\/providers\/[^/]+\/[^/]+\/[^/?]+/.exec(url)?.[0]
  return item === undefined ? undefined : cloud.resources.find(keyOf(item))?.location
}
