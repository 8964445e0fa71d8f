import { badRequest } from './scim-error.ts'
import { findAttribute, placeOf, type Attribute, type ResourceType } from './schemas.ts'
import type { Json } from './filter.ts'

export type Resource = Record<string, unknown>

const TEXT_MAX = 2_000
const CERTIFICATE_MAX = 16_384
const ELEMENTS_MAX = 200
/** Maximum number of members. In practice, the size of the request is the limit. */
const MEMBERS_MAX = 20_000
/** More than a resource has, also with paths as keys. */
const ATTRIBUTES_MAX = 1_000

/**
 * Returns the writable attributes of a resource with their canonical names. Unknown and read-only attributes are
 * ignored, as RFC 7644, section 3.3 requires. Accepts the texts "True" and "False" for booleans, which Entra ID sends.
 * @throws ScimError for a value of the wrong type
 */
export function normaliseResource(type: ResourceType, input: unknown): Resource {
  if (!isObject(input)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(input, type.core.id)
  const resource: Resource = {}
  for (const [key, value] of attributesOf(input)) {
    const extension = type.extensions.find(({ id }) => id.toLowerCase() === key.toLowerCase())
    if (extension !== undefined) {
      const own = normaliseObject(extension.attributes, unwrapList(value), extension.id)
      if (own !== undefined) resource[extension.id] = own
      continue
    }
    const ref = placeOf(type, key)
    if (ref === null || ref.extension !== null || ref.attribute.mutability === 'readOnly') continue
    const normal = normaliseValue(ref.attribute, value)
    if (normal !== undefined) resource[ref.attribute.name] = normal
  }
  return resource
}

/** Returns the attributes of an object with their values. @throws ScimError if there are too many */
export function attributesOf(input: Json): readonly (readonly [string, unknown])[] {
  const attributes = Object.entries(input)
  if (attributes.length > ATTRIBUTES_MAX)
    throw badRequest('invalidValue', `An object has at most ${ATTRIBUTES_MAX} attributes.`)
  return attributes
}

/** @throws ScimError if a request lists schemas but omits the schema of its resource or message */
export function requireSchema(input: Json, schema: string): void {
  const [, schemas] = Object.entries(input).find(([key]) => key.toLowerCase() === 'schemas') ?? []
  if (schemas === undefined) return
  if (
    !Array.isArray(schemas) ||
    !schemas.some((each) => typeof each === 'string' && each.toLowerCase() === schema.toLowerCase())
  ) {
    throw badRequest('invalidSyntax', `schemas must contain ${schema}.`)
  }
}

/** Returns undefined for null, an empty list or an object without values, which mean that no value is assigned. */
export function normaliseValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (!attribute.multiValued) return normaliseSingle(attribute, value)
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  const max = attribute.name === 'members' ? MEMBERS_MAX : ELEMENTS_MAX
  if (list.length > max) throw badRequest('invalidValue', `${attribute.name} has more than ${max} elements.`)
  const elements = list.map((element) => normaliseSingle(attribute, element)).filter((element) => element !== undefined)
  return elements.length === 0 ? undefined : withOnePrimary(elements)
}

/** Sets `primary` to false for all but the first primary element (RFC 7643, section 2.4). */
function withOnePrimary(elements: readonly unknown[]): unknown[] {
  const first = elements.findIndex(isPrimary)
  return elements.map((element, i) => (i !== first && isPrimary(element) ? { ...element, primary: false } : element))
}

export const isPrimary = (element: unknown): element is Json => isObject(element) && element['primary'] === true

/** Returns the element of a list of one. Entra ID and others send single values in such a list. */
export const unwrapList = (value: unknown): unknown =>
  Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value

/** Returns the value of `{"value": ...}`, the form of an element of a list, for an attribute without sub-attributes. */
const unwrapValue = (value: unknown): unknown => (isObject(value) && 'value' in value ? value['value'] : value)

function normaliseSingle(attribute: Attribute, given: unknown): unknown {
  const single = unwrapList(given)
  const value = attribute.type === 'complex' ? single : unwrapValue(single)
  if (value === null || value === undefined) return undefined
  const { name, type, subAttributes } = attribute
  if (type === 'complex') return normaliseObject(subAttributes!, unwrapped(attribute, value), name)
  if (type === 'boolean') return normaliseBoolean(name, value)
  if (typeof value !== 'string') throw badRequest('invalidValue', `${name} must be a string.`)
  const max = type === 'binary' ? CERTIFICATE_MAX : TEXT_MAX
  if (value.length > max) throw badRequest('invalidValue', `${name} is longer than ${max} characters.`)
  if (!value.isWellFormed() || value.includes('\0'))
    throw badRequest('invalidValue', `${name} contains a character that cannot be stored.`)
  return value
}

/** Returns a complex value as an object. Entra ID sends some as a string: the value itself, or the object as JSON. */
function unwrapped({ name, subAttributes }: Attribute, value: unknown): unknown {
  if (typeof value !== 'string' || findAttribute(subAttributes!, 'value') === undefined) return value
  if (name === 'roles' && value.trimStart().startsWith('{')) {
    try {
      return JSON.parse(value)
    } catch {
      return { value }
    }
  }
  return { value }
}

function normaliseBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.trim().toLowerCase() : null
  if (word === 'true' || word === 'false') return word === 'true'
  throw badRequest('invalidValue', `${name} must be true or false.`)
}

function normaliseObject(attributes: readonly Attribute[], input: unknown, name: string): Resource | undefined {
  if (input === null || input === undefined) return undefined
  if (!isObject(input)) throw badRequest('invalidValue', `${name} must be an object.`)
  const object: Resource = {}
  for (const [key, value] of attributesOf(input)) {
    const attribute = findAttribute(attributes, key)
    if (attribute === undefined || attribute.mutability === 'readOnly') continue
    const normal = normaliseValue(attribute, value)
    if (normal !== undefined) object[attribute.name] = normal
  }
  // Entra ID names a member's display name displayName.
  if (name === 'members' && object['display'] === undefined && typeof input['displayName'] === 'string') {
    object['display'] = input['displayName'].slice(0, TEXT_MAX)
  }
  return Object.keys(object).length === 0 ? undefined : object
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
