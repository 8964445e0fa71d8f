import { badRequest } from './scim-error.ts'
import { elementOf, extensionNamed, matches, parsePath, type Json, type Path } from './filter.ts'
import {
  attributesOf,
  isObject,
  isPrimary,
  normaliseValue,
  requireSchema,
  type Resource,
  unwrapList,
} from './normalise.ts'
import { findAttribute, PATCH_SCHEMA, placeOf, type Attribute, type ResourceType, type Schema } from './schemas.ts'

/** PATCH operation of RFC 7644, section 3.5.2, also in the forms that Entra ID and Okta send. */

type Op = 'add' | 'replace' | 'remove'

interface Operation {
  readonly op: Op
  readonly path: string | null
  readonly value: unknown
}

const OPERATIONS_MAX = 5_000
/** Maximum number of operations after `mergeMembers`. Each one reads the whole resource. */
const STEPS_MAX = 1_000

/** Maximum number of list elements that one request reads, weighted by the length of the paths compared with them. */
const READ_MAX = 300_000
/** Length of a path in characters. A path of this length about doubles the cost of reading an element. */
const PATH_UNIT = 50

/** Returns true if no operation names a path, as in Okta's requests. */
export const isWithoutPaths = (body: unknown): boolean => operationsOf(body).every(({ path }) => path === null)

/**
 * Returns the resource after all operations. The given resource does not change.
 * @throws ScimError for the first operation that cannot be applied
 */
export function applyPatch(type: ResourceType, resource: Resource, body: unknown): Resource {
  const target = structuredClone(resource)
  const steps = type.name === 'Group' ? mergeMembers(operationsOf(body)) : operationsOf(body)
  if (steps.length > STEPS_MAX) throw badRequest('tooMany', `Send at most ${STEPS_MAX} different operations.`)
  const limit = readLimit(target)
  for (const { op, path, value } of steps) {
    if (path === null) applyWithoutPath(type, target, op, value, limit)
    else applyAt(type, target, op, path, value, limit)
  }
  return target
}

type ReadLimit = (path: string) => void

/** Returns a function that counts the elements read for a path. It throws ScimError tooMany above the limit. */
function readLimit(target: Resource): ReadLimit {
  let read = 0
  return (path) => {
    const maximum = Math.max(0, ...Object.values(target).map((value) => (Array.isArray(value) ? value.length : 0)))
    read += maximum * (1 + path.length / PATH_UNIT)
    if (read > READ_MAX) throw badRequest('tooMany', 'Send fewer operations per request for a resource of this size.')
  }
}

/** Merges consecutive operations that add or remove members, so that 2,000 operations are applied in one pass. */
function mergeMembers(operations: readonly Operation[]): Operation[] {
  const merged: Operation[] = []
  for (const operation of operations.map(memberOperation)) {
    const before = merged.at(-1)
    if (before !== undefined && isMergeable(before) && isMergeable(operation) && before.op === operation.op)
      for (const value of operation.value as unknown[]) (before.value as unknown[]).push(value)
    else merged.push(isMergeable(operation) ? { ...operation, value: [...(operation.value as unknown[])] } : operation)
  }
  return merged
}

const isMergeable = ({ op, path, value }: Operation): boolean =>
  op !== 'replace' && path?.toLowerCase() === 'members' && Array.isArray(value)

/** Rewrites `members[value eq "..."]` as the list of the members to remove. */
function memberOperation(operation: Operation): Operation {
  const { op, path, value } = operation
  const single = /^members\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/i.exec(path ?? '')?.[1]
  if (op !== 'remove' || single === undefined || value !== undefined) return operation
  return { op, path: 'members', value: [{ value: single }] }
}

/** @throws ScimError invalidSyntax */
function operationsOf(body: unknown): Operation[] {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, PATCH_SCHEMA)
  const operations = fieldOf(body, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'Operations must be a list of at least one operation.')
  if (operations.length > OPERATIONS_MAX)
    throw badRequest('invalidSyntax', `Operations must be at most ${OPERATIONS_MAX}.`)
  return operations.map((operation: unknown): Operation => {
    if (!isObject(operation)) throw badRequest('invalidSyntax', 'An operation must be an object.')
    const given = fieldOf(operation, 'op')
    const op = typeof given === 'string' ? given.toLowerCase() : null
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw badRequest('invalidSyntax', 'op must be add, replace or remove.')
    const path = fieldOf(operation, 'path') ?? null
    if (path !== null && typeof path !== 'string') throw badRequest('invalidPath', 'path must be a string.')
    const value = fieldOf(operation, 'value')
    if (op !== 'remove' && value === undefined) throw badRequest('invalidValue', `${op} needs a value.`)
    return { op, path: path === null || path.trim() === '' ? null : path.trim(), value }
  })
}

const fieldOf = (object: Json, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/** Applies an operation whose value has attributes or, from Entra ID, paths as keys. Ignores read-only and unknown attributes. */
function applyWithoutPath(type: ResourceType, target: Resource, op: Op, value: unknown, limit: ReadLimit): void {
  if (op === 'remove') throw badRequest('noTarget', 'remove needs a path.')
  if (!isObject(value)) throw badRequest('invalidValue', `${op} without a path needs an object as value.`)
  for (const [key, each] of attributesOf(value)) {
    if (placeOf(type, key)?.attribute.mutability !== 'readOnly') applyAt(type, target, op, key, each, limit)
  }
}

function isKnown(type: ResourceType, key: string): boolean {
  const [name] = key.split('[')
  return placeOf(type, name!) !== null || placeOf(type, name!.slice(0, Math.max(0, name!.lastIndexOf('.')))) !== null
}

function setExtension(target: Resource, extension: Schema, op: Op, given: unknown): void {
  const value = unwrapList(given)
  if (op === 'remove' || value === null) {
    delete target[extension.id]
    return
  }
  if (!isObject(value)) throw badRequest('invalidValue', `${extension.id} must be an object.`)
  const object = { ...(target[extension.id] as Resource | undefined) }
  for (const [key, each] of attributesOf(value)) {
    const attribute = findAttribute(extension.attributes, key)
    if (attribute !== undefined) setWhole(object, attribute, op, each)
  }
  setOrDelete(target, extension.id, object)
}

function applyAt(
  type: ResourceType,
  target: Resource,
  op: Op,
  pathText: string,
  value: unknown,
  limit: ReadLimit,
): void {
  limit(pathText)
  const extension = extensionNamed(type, pathText)
  if (extension !== undefined) return setExtension(target, extension, op, value)
  // Passwords are neither stored nor used. An unknown attribute must not keep the others, such as active, from being set.
  if (pathText.toLowerCase() === 'password' || !isKnown(type, pathText)) return
  const path = parsePath(type, pathText)
  if (path === null) return
  const { attribute, sub } = path
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly') throw readOnlyError(pathText)
  const parent = path.extension === null ? target : { ...(target[path.extension.id] as Resource | undefined) }
  // A replacement by null unassigns the attribute (RFC 7643, section 2.5).
  change(parent, path, value === null ? 'remove' : op, value === null ? undefined : value, pathText)
  if (path.extension !== null) setOrDelete(target, path.extension.id, parent)
}

const readOnlyError = (path: string) => badRequest('mutability', `${path.slice(0, 100)} is read-only.`)

function change(parent: Resource, path: Path, op: Op, value: unknown, pathText: string): void {
  const { attribute, elements, sub } = path
  if (attribute.multiValued) return changeElements(parent, path, op, value, pathText)
  if (sub !== null && elements === null) {
    const object = { ...(parent[attribute.name] as Resource | undefined) }
    setWhole(object, sub, op, value)
    return setOrDelete(parent, attribute.name, object)
  }
  setWhole(parent, attribute, op, value)
}

/** Sets an attribute. The sub-attributes of a complex attribute that the value does not name are not changed. */
function setWhole(parent: Resource, attribute: Attribute, op: Op, given: unknown): void {
  const { name } = attribute
  const value = attribute.multiValued ? given : unwrapList(given)
  if (attribute.mutability === 'readOnly') return
  if (attribute.multiValued) {
    return changeElements(parent, { extension: null, attribute, elements: null, sub: null }, op, value, name)
  }
  const normal = op === 'remove' ? undefined : normaliseValue(attribute, value)
  if (normal === undefined && attribute.type === 'complex' && isObject(value) && op !== 'remove') {
    return mergeInto(parent, attribute, value)
  }
  if (normal === undefined) {
    if (attribute.required) throw badRequest('mutability', `${name} is required and cannot be removed.`)
    delete parent[name]
    return
  }
  if (attribute.type === 'complex' && isObject(value)) return mergeInto(parent, attribute, value)
  parent[name] = normal
}

function mergeInto(parent: Resource, attribute: Attribute, value: Json): void {
  const object = { ...(parent[attribute.name] as Resource | undefined) }
  for (const [key, each] of attributesOf(value)) {
    const sub = findAttribute(attribute.subAttributes!, key)
    if (sub !== undefined) setWhole(object, sub, each === null ? 'remove' : 'replace', each)
  }
  setOrDelete(parent, attribute.name, object)
}

function changeElements(parent: Resource, path: Path, op: Op, value: unknown, pathText: string): void {
  const { attribute, elements, sub } = path
  const present = (parent[attribute.name] as readonly unknown[] | undefined) ?? []
  const isChosen = (element: unknown) => elements === null || matches(elements, element as Json)
  if (op === 'remove') {
    if (sub !== null) {
      return setList(
        parent,
        attribute,
        present.map((element) => (isChosen(element) ? without(element as Json, sub.name) : element)),
      )
    }
    // A list of values names the elements to remove. Without it, all chosen elements are removed.
    const listed = value === undefined || value === null ? null : keysOf(attribute, value)
    return setList(
      parent,
      attribute,
      present.filter((element) => !isChosen(element) || (listed !== null && !isListed(attribute, listed, element))),
    )
  }
  if (elements === null && sub === null) {
    const added = (normaliseValue(attribute, value) as readonly unknown[] | undefined) ?? []
    return setList(parent, attribute, op === 'replace' ? distinct(attribute, added) : union(attribute, present, added))
  }
  const chosen = present.filter(isChosen)
  const values = sub === null ? objectFor(attribute, value) : { [sub.name]: normaliseValue(sub, value) }
  if (chosen.length === 0) return addElement(parent, path, op, values, pathText)
  const changed = new Set(chosen)
  let list = present.map((element) => (changed.has(element) ? { ...(element as Json), ...values } : element))
  if (values['primary'] === true) {
    const keptIndex = present.indexOf(chosen[0])
    list = list.map((element, i) => (i !== keptIndex && isPrimary(element) ? { ...element, primary: false } : element))
  }
  setList(parent, attribute, list)
}

/**
 * Adds the element that a filter describes, if no element matches. RFC 7644, section 3.5.2.3 refuses a replacement
 * without a match; Entra ID sends it to set a first work e-mail, so it is accepted for a sub-attribute.
 */
function addElement(parent: Resource, path: Path, op: Op, values: Json, pathText: string): void {
  const { attribute, elements, sub } = path
  const described = elements === null ? {} : elementOf(elements)
  if (described === null || (op === 'replace' && sub === null) || attribute.name === 'members')
    throw badRequest('noTarget', `${pathText.slice(0, 100)} matches no value.`)
  const element = normaliseValue({ ...attribute, multiValued: false }, { ...described, ...values })
  if (element === undefined) return
  const present = (parent[attribute.name] as readonly unknown[] | undefined) ?? []
  setList(parent, attribute, union(attribute, present, [element]))
}

function objectFor(attribute: Attribute, value: unknown): Json {
  const normal = normaliseValue({ ...attribute, multiValued: false }, value)
  if (!isObject(normal)) throw badRequest('invalidValue', `${attribute.name} needs an object as value.`)
  return normal
}

const without = (element: Json, name: string): Json =>
  Object.fromEntries(Object.entries(element).filter(([key]) => key !== name))

/** Returns the identity of an element: the ID of a member, otherwise all of its values. */
const keyOf = ({ name, type }: Attribute, element: unknown): string =>
  name === 'members' && type === 'complex'
    ? String((element as Json)['value'])
    : JSON.stringify(isObject(element) ? Object.entries(element).toSorted(([a], [b]) => (a < b ? -1 : 1)) : element)

interface Keys {
  readonly keys: ReadonlySet<string>
  readonly values: ReadonlySet<unknown>
}

function keysOf(attribute: Attribute, value: unknown): Keys {
  const elements = (normaliseValue(attribute, value) as readonly unknown[] | undefined) ?? []
  return {
    keys: new Set(elements.map((element) => keyOf(attribute, element))),
    // {"value": "..."} alone names each element with this value.
    values: new Set(
      elements.flatMap((element) =>
        isObject(element) && Object.keys(element).length === 1 && 'value' in element ? [element['value']] : [],
      ),
    ),
  }
}

const isListed = (attribute: Attribute, { keys, values }: Keys, element: unknown): boolean =>
  keys.has(keyOf(attribute, element)) || (isObject(element) && values.has(element['value']))

const distinct = (attribute: Attribute, elements: readonly unknown[]): unknown[] => [
  ...new Map(elements.map((element) => [keyOf(attribute, element), element])).values(),
]

/**
 * Returns the present elements and the added elements that are not present yet. If an added element is primary, all
 * others lose the flag.
 */
function union(attribute: Attribute, present: readonly unknown[], added: readonly unknown[]): unknown[] {
  const known = new Set(present.map((element) => keyOf(attribute, element)))
  const rotated = distinct(attribute, added).filter((element) => !known.has(keyOf(attribute, element)))
  const keptIndex = rotated.some(isPrimary)
    ? present.map((element) => (isPrimary(element) ? { ...element, primary: false } : element))
    : present
  return [...keptIndex, ...rotated]
}

function setList(parent: Resource, attribute: Attribute, elements: readonly unknown[]): void {
  const list = elements.filter((element) => !isObject(element) || Object.keys(element).length > 0)
  if (list.length === 0) delete parent[attribute.name]
  else parent[attribute.name] = list
}

function setOrDelete(parent: Resource, name: string, object: Resource): void {
  if (Object.keys(object).length === 0) delete parent[name]
  else parent[name] = object
}
