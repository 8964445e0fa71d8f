import { badRequest } from './scim-error.ts'
import { parseFilter, parsePath, type Filter, type Json } from './filter.ts'
import { COMMON, LIST_SCHEMA, PAGE_DEFAULT, PAGE_MAX, placeOf, type ResourceType } from './schemas.ts'

export interface ListRequest {
  readonly filter: Filter | null
  /** Number of matches before the page. */
  readonly offset: number
  readonly count: number
  readonly projection: Projection
}

/** Attributes of a reply. If `attributes` is null, the default attributes are returned. */
export interface Projection {
  readonly attributes: readonly Selected[] | null
  readonly excluded: readonly Selected[]
}

interface Selected {
  readonly extension: string | null
  readonly name: string
  readonly sub: string | null
}

/** Parameters of a query, or the fields of the body of a search. */
export type Parameters = Readonly<Record<string, unknown>>

const parameter = (parameters: Parameters, name: string): unknown =>
  Object.entries(parameters).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/** Parses the parameters of a list. @throws ScimError invalidFilter, or invalidValue for a number that is not whole */
export function listRequest(type: ResourceType, parameters: Parameters): ListRequest {
  const filter = parameter(parameters, 'filter')
  if (filter !== undefined && typeof filter !== 'string') throw badRequest('invalidFilter', 'filter must be one text.')
  const start = Math.max(1, wholeNumber(parameters, 'startIndex') ?? 1)
  const count = Math.min(PAGE_MAX, Math.max(0, wholeNumber(parameters, 'count') ?? PAGE_DEFAULT))
  return {
    filter: filter === undefined || filter.trim() === '' ? null : parseFilter(type, filter),
    offset: start - 1,
    count,
    projection: projectionOf(type, parameters),
  }
}

function wholeNumber(parameters: Parameters, name: string): number | null {
  const value = parameter(parameters, name)
  if (value === undefined || value === '') return null
  const number = typeof value === 'number' ? value : Number(typeof value === 'string' ? value : Number.NaN)
  if (!Number.isSafeInteger(number) || Math.abs(number) > 2 ** 31 - 1)
    throw badRequest('invalidValue', `${name} must be a whole number.`)
  return number
}

export function projectionOf(type: ResourceType, parameters: Parameters): Projection {
  const attributes = namesIn(parameter(parameters, 'attributes'))
  const excluded = namesIn(parameter(parameters, 'excludedAttributes'))
  return {
    attributes: attributes.length === 0 ? null : attributes.flatMap((name) => selected(type, name)),
    excluded: excluded.flatMap((name) => selected(type, name)),
  }
}

const NAMES_MAX = 100
const NAMES_LENGTH_MAX = 4_000

/** @throws ScimError invalidValue for more names than a resource has attributes */
function namesIn(value: unknown): string[] {
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => typeof each === 'string')
  // The length is checked first, because the search for commas takes time quadratic in the length.
  if (texts.length > NAMES_MAX || texts.some(({ length }) => length > NAMES_LENGTH_MAX))
    throw badRequest('invalidValue', `Name at most ${NAMES_MAX} attributes.`)
  const names = texts
    // A comma inside a filter of elements does not separate names.
    .flatMap((each) => each.split(/,(?![^[]*\])/))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > NAMES_MAX) throw badRequest('invalidValue', `Name at most ${NAMES_MAX} attributes.`)
  return names
}

/** Returns the attribute of a name, or nothing if it is unknown. A filter of elements selects the whole attribute. */
function selected(type: ResourceType, name: string): Selected[] {
  const extension = type.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
  if (extension !== undefined) return [{ extension: extension.id, name: '', sub: null }]
  const normalised = name.split('[')[0]!
  if (placeOf(type, normalised) === null && !normalised.includes('.')) return []
  try {
    const path = parsePath(type, normalised)
    if (path === null) return []
    return [{ extension: path.extension?.id ?? null, name: path.attribute.name, sub: path.sub?.name ?? null }]
  } catch {
    return []
  }
}

const ALWAYS = new Set(COMMON.filter(({ returned }) => returned === 'always').map(({ name }) => name))

/** Reduces a resource to the requested attributes. `id` and `schemas` are always returned. */
export function project(resource: Json, { attributes, excluded }: Projection): Json {
  const chosen = attributes === null ? resource : pick(resource, attributes)
  return excluded.length === 0 ? chosen : omit(chosen, excluded)
}

function pick(resource: Json, attributes: readonly Selected[]): Json {
  const reply: Record<string, unknown> = {}
  for (const name of ALWAYS) if (resource[name] !== undefined) reply[name] = resource[name]
  for (const { extension, name, sub } of attributes) {
    const source = extension === null ? resource : (resource[extension] as Json | undefined)
    if (source === undefined) continue
    if (name === '') {
      reply[extension!] = source
      continue
    }
    const value = source[name]
    if (value === undefined) continue
    const target = extension === null ? reply : ((reply[extension] ??= {}) as Record<string, unknown>)
    target[name] = sub === null ? value : pickSub(target[name], value, sub)
  }
  return reply
}

function pickSub(before: unknown, value: unknown, sub: string): unknown {
  if (Array.isArray(value))
    return value.map((each: Json, i) => ({
      ...(Array.isArray(before) ? (before[i] as Json) : {}),
      ...(each[sub] !== undefined && { [sub]: each[sub] }),
    }))
  return { ...(before as Json | undefined), [sub]: (value as Json)[sub] }
}

function omit(resource: Json, excluded: readonly Selected[]): Json {
  const reply: Record<string, unknown> = { ...resource }
  for (const { extension, name, sub } of excluded) {
    if (extension === null && ALWAYS.has(name)) continue
    const parent = extension === null ? reply : { ...(reply[extension] as Json | undefined) }
    if (name === '') {
      delete reply[extension!]
      continue
    }
    if (sub === null) delete parent[name]
    else if (parent[name] !== undefined) parent[name] = omitSub(parent[name], sub)
    if (extension !== null && reply[extension] !== undefined) reply[extension] = parent
  }
  return reply
}

function omitSub(value: unknown, sub: string): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => omitSub(each, sub))
  return Object.fromEntries(Object.entries(value as Json).filter(([key]) => key !== sub))
}

/** True if a reply with this projection needs the attribute. */
export const needs = ({ attributes, excluded }: Projection, name: string): boolean =>
  attributes === null
    ? !excluded.some((each) => each.name === name && each.sub === null)
    : attributes.some((each) => each.name === name)

export const listResponse = (total: number, startIndex: number, resources: readonly Json[]): Json => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
