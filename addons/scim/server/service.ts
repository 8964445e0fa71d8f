import { DOCUMENT_SCHEMAS, GROUPS, PAGE_MAX, USERS, type Attribute, type ResourceType, type Schema } from './schemas.ts'
import type { Json } from './filter.ts'
import { listResponse } from './list.ts'
import { noResource } from './scim-error.ts'

/** The documents that describe the endpoint (RFC 7643, sections 5 to 7). */

const TYPES: readonly ResourceType[] = [USERS, GROUPS]

export const serviceProviderConfig = (base: string): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the organisation, created on its page Organisation Settings.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const list = (resources: readonly Json[]): Json => listResponse(resources.length, 1, resources)

/** Returns one or all ResourceType documents. @param id name of a type; null for all @throws ScimError 404 */
export function resourceTypes(base: string, id: string | null): Json {
  const described = TYPES.map((type): Json => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    name: type.name,
    description: type.description,
    endpoint: type.endpoint,
    schema: type.core.id,
    ...(type.extensions.length > 0 && {
      schemaExtensions: type.extensions.map((extension) => ({ schema: extension.id, required: false })),
    }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.name}` },
  }))
  return id === null ? list(described) : findById(described, id)
}

/** Returns one or all Schema documents. @param id URN of a schema; null for all @throws ScimError 404 */
export function schemas(base: string, id: string | null): Json {
  const all = [...TYPES.flatMap(({ core, extensions }) => [core, ...extensions]), ...DOCUMENT_SCHEMAS]
  const described = all.map((schema) => describedSchema(base, schema))
  return id === null ? list(described) : findById(described, id)
}

const describedSchema = (base: string, { id, name, description, attributes }: Schema): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes: attributes.map(describedAttribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/** Returns an attribute as RFC 7643, section 7 describes it. Complex attributes, booleans and numbers have no `caseExact`. */
function describedAttribute({ subAttributes, ...attribute }: Attribute): Json {
  const { type, caseExact, uniqueness, ...rest } = attribute
  return {
    ...rest,
    type,
    ...(type !== 'complex' && type !== 'boolean' && type !== 'integer' && { caseExact }),
    uniqueness,
    ...(subAttributes !== undefined && { subAttributes: subAttributes.map(describedAttribute) }),
  }
}

function findById(described: readonly Json[], id: string): Json {
  const found = described.find((each) => String(each['id']).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw noResource(id.slice(0, 200))
  return found
}
