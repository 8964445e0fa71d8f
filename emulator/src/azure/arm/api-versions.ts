import type { FastifyRequest } from 'fastify'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { locations } from '#src/azure/arm/locations.ts'
import type { Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'

/**
 * The api-version that a request names. The addresses of long operations have no versions of their own and take any.
 * @throws Refusal when it names none, or one that is not published for the type
 */
export function versionAsked(cloud: AzureCloud, operation: Operation, request: FastifyRequest): string {
  const asked = (request.query as Record<string, string>)['api-version']
  if (asked === undefined || asked === '') {
    throw new Refusal(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    )
  }
  if (operation.versions.length === 0 || operation.versions.includes(asked)) return asked
  throw notPublished(asked, operation, locationMeant(cloud, request))
}

/**
 * Azure refuses in three ways: its own resources (azure-cli#28038), a type at a place that the request or its resource
 * names (azure-cli#28496), and a type at no place (azure-powershell#12061).
 */
function notPublished(asked: string, { method, path, versions }: Operation, location: string | undefined): Refusal {
  const type = typeIn(method, path)
  if (type === undefined) {
    return new Refusal(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${asked}' is invalid. The supported versions are '${versions.join(',')}'.`,
    )
  }
  if (location === undefined) {
    return new Refusal(
      404,
      'InvalidResourceType',
      `The resource type '${type.name}' could not be found in the namespace '${type.namespace}' for api version '${asked}'. The supported api-versions are '${versions.join(',')}'.`,
    )
  }
  return new Refusal(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for location '${location}' and API version '${asked}' for type '${type.name}'. The supported api-versions are '${versions.join(', ')}'. The supported locations are '${locations.join(', ')}'.`,
  )
}

/** `Microsoft.Compute` and `virtualMachines/extensions`; undefined for what is Azure Resource Manager's own. */
function typeIn(method: string, path: string): { namespace: string; name: string } | undefined {
  const [namespace, ...rest] = path.split('/providers/').at(-1)?.split('/') ?? []
  if (namespace === undefined || namespace === '' || namespace.startsWith(':')) return undefined
  const named = method === 'POST' ? rest.slice(0, -1) : rest
  return { namespace, name: named.filter((part) => !part.startsWith(':')).join('/') }
}

/** The place that a body names, else that of the resource that the path leads to or through. */
function locationMeant(cloud: AzureCloud, { body, url, params }: FastifyRequest): string | undefined {
  const named = (body as { location?: unknown } | null | undefined)?.location
  if (typeof named === 'string') return named.toLowerCase().replaceAll(' ', '')
  const { location } = params as { location?: string }
  if (location !== undefined) return location
  const item = /^.*?\/providers\/[^/]+\/[^/]+\/[^/?]+/.exec(url)?.[0]
  return item === undefined ? undefined : cloud.resources.find(keyOf(item))?.location
}
