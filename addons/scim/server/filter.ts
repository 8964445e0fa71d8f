import { type RawBuilder, sql } from 'kysely'
import { type AttrExp, type Filter as Syntax, parse } from 'scim2-parse-filter'
import { badRequest, ScimError, type ScimType } from './scim-error.ts'
import {
  findAttribute,
  placeInExtension,
  placeOf,
  type Attribute,
  type Place,
  type ResourceType,
  type Schema,
} from './schemas.ts'

/** Filters and paths (RFC 7644, sections 3.4.2.2 and 3.5.2). */

type Operator = Exclude<AttrExp['op'], 'pr'>

type Literal = string | number | boolean | null

/** An attribute, an optional filter of its elements, and an optional sub-attribute. */
export interface Path extends Place {
  readonly elements: Filter | null
  readonly sub: Attribute | null
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: Path }
  | { readonly kind: 'compare'; readonly path: Path; readonly operator: Operator; readonly value: Literal }

const LENGTH_MAX = 2_000
const DEPTH_MAX = 20

/** @throws ScimError invalidFilter */
export function parseFilter(type: ResourceType, given: string): Filter {
  // Entra ID and AWS name attributes of extensions without the schema: manager eq "...".
  return parsed(given, 'invalidFilter', (name) => placeOf(type, name) ?? placeInExtension(type, name))
}

/** Refusal of a filter or path because it names an unknown attribute. */
class UnknownAttribute extends ScimError {}

/**
 * Parses the path of a PATCH operation. Returns null if it names an unknown attribute.
 * @throws ScimError invalidPath
 */
export function parsePath(type: ResourceType, given: string): Path | null {
  try {
    // A path followed by `pr` is a filter. With a filter of elements at its end, it is one already.
    const filter = parsed(given.endsWith(']') ? given : `${given} pr`, 'invalidPath', (name) => placeOf(type, name))
    if (filter.kind === 'present') return filter.path
  } catch (problem) {
    if (problem instanceof UnknownAttribute) return null
    throw problem
  }
  throw refusal('invalidPath', 'It must name one attribute.')
}

/** Returns the extension whose whole object a path names. */
export const extensionNamed = (type: ResourceType, path: string): Schema | undefined =>
  type.extensions.find(({ id }) => id.toLowerCase() === path.trim().toLowerCase())

const refusal = (error: ScimType, reason: string): ScimError =>
  badRequest(error, `The ${error === 'invalidPath' ? 'path' : 'filter'} is not valid. ${reason}`)

interface Context {
  readonly error: ScimType
  readonly find: (name: string) => Place | null
  /** Values of the text, which the library sees as their indices. */
  readonly values: readonly Literal[]
}

function parsed(text: string, error: ScimType, find: Context['find']): Filter {
  if (text.length > LENGTH_MAX) throw refusal(error, `It must be at most ${LENGTH_MAX} characters long.`)
  const values: Literal[] = []
  // scim2-parse-filter 0.2.10 decodes "\\" and "\n" wrongly, takes exponential time for an unfinished string with line
  // breaks, and refuses texts without quotation marks, which some clients send. It gets indices instead of values.
  const rest = text.replaceAll(
    /"(?:[^"\\]|\\.)*("?)|\b(eq|ne|co|sw|ew|gt|ge|lt|le)\s+([^\s()[\]"]+)/gis,
    (quoted: string, end?: string, operator = '', bare?: string) => {
      if (end === '') throw refusal(error, 'A quotation mark is missing.')
      values.push(bare === undefined ? decoded(quoted, error) : bareLiteral(bare))
      return `${operator} ${values.length - 1}`
    },
  )
  requireDepth(rest, error)
  if (/\bnot\b(?!\s*\()/i.test(rest)) throw refusal(error, 'Write not with parentheses.')
  return resolved(syntaxOf(rest, error), { error, find, values })
}

function decoded(quoted: string, error: ScimType): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw refusal(error, 'A value is not a valid JSON string.')
  }
}

function bareLiteral(bare: string): Literal {
  if (/^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === 'true'
  if (bare.toLowerCase() === 'null') return null
  return /^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare
}

function requireDepth(text: string, error: ScimType): void {
  let depth = 0
  for (const [bracket] of text.matchAll(/[()[\]]/g)) {
    depth += bracket === '(' || bracket === '[' ? 1 : -1
    if (depth > DEPTH_MAX) throw refusal(error, 'It is nested too deeply.')
  }
}

/** Replacements in the text that the library parses. No attribute name contains `%` or `/`. */
const DOLLAR = '_%'
const OF_ELEMENT = '._/'

function syntaxOf(text: string, error: ScimType): Syntax {
  try {
    // The library refuses $ref. It parses emails[...].value eq "x" as emails[...] and emails.value eq "x", which is also
    // true if another element has the value; a mark distinguishes the two.
    return parse(text.replaceAll('$', DOLLAR).replaceAll('].', `]${OF_ELEMENT}`))
  } catch {
    throw refusal(error, 'RFC 7644, section 3.4.2.2, defines the syntax.')
  }
}

function resolved(node: Syntax, context: Context): Filter {
  switch (node.op) {
    case 'and':
    case 'or': {
      const [elements, ofElement] = node.filters
      if (elements?.op === '[]' && ofElement !== undefined && 'attrPath' in ofElement && ofElement.op !== '[]') {
        if (ofElement.attrPath.startsWith(elements.attrPath + OF_ELEMENT))
          return condition(ofElement, elements.valFilter, context)
      }
      return { kind: node.op, parts: node.filters.map((part) => resolved(part, context)) }
    }
    case 'not':
      // The library parses `a pr not (b pr)` as a `not` of two filters.
      if (!('filter' in node)) throw refusal(context.error, 'A logical operator is missing.')
      return { kind: 'not', of: resolved(node.filter, context) }
    case '[]':
      // The filter emails[type eq "work"] alone is true if an element matches.
      return { kind: 'present', path: pathOf(node.attrPath, node.valFilter, context) }
    default:
      // The library takes the name of any property of an object, such as `constructor`, for an operator.
      if (typeof node.attrPath !== 'string') throw refusal(context.error, 'A logical operator is missing.')
      return condition(node, null, context)
  }
}

function condition(node: AttrExp, elements: Syntax | null, context: Context): Filter {
  const path = pathOf(node.attrPath, elements, context)
  if (node.op === 'pr') return { kind: 'present', path }
  const value = context.values[Number(node.compValue)]!
  refuseImpossible(path, node.op, value)
  return { kind: 'compare', path, operator: node.op, value }
}

function pathOf(given: string, elements: Syntax | null, context: Context): Path {
  const name = given.replaceAll(DOLLAR, '$').replace(OF_ELEMENT, '.')
  // The longest known name is found first, because schemas contain dots.
  for (const end of [name.length, Math.max(0, name.lastIndexOf('.'))]) {
    const place = context.find(name.slice(0, end))
    if (place === null) continue
    const sub = end === name.length ? null : findAttribute(place.attribute.subAttributes ?? [], name.slice(end + 1))
    if (sub === undefined) break
    return { ...place, sub, elements: elements === null ? null : elementFilter(place.attribute, elements, context) }
  }
  throw new UnknownAttribute(400, context.error, `There is no attribute ${name.slice(0, 100)}.`)
}

function elementFilter({ name, multiValued, subAttributes }: Attribute, filter: Syntax, context: Context): Filter {
  if (subAttributes === undefined || !multiValued) throw refusal(context.error, `${name} has no elements to filter.`)
  const find = (each: string): Place | null => {
    const attribute = findAttribute(subAttributes, each)
    return attribute === undefined ? null : { extension: null, attribute }
  }
  return resolved(filter, { ...context, find })
}

function refuseImpossible(path: Path, operator: Operator, value: Literal): void {
  const { type, name } = comparedAttribute(path)
  const ordered = operator !== 'eq' && operator !== 'ne'
  if (type === 'boolean' && (ordered || booleanOf(value) === undefined)) {
    throw badRequest(
      'invalidFilter',
      `The filter is not valid. ${name} is compared only with eq or ne to true or false.`,
    )
  }
  if (type === 'dateTime' && value !== null && Number.isNaN(Date.parse(String(value)))) {
    throw badRequest('invalidFilter', `The filter is not valid. ${name} is compared only to a date and time.`)
  }
}

/** A complex attribute without a sub-attribute is compared by its value. */
function comparedAttribute({ attribute, sub }: Path): Attribute {
  return sub ?? findAttribute(attribute.subAttributes ?? [], 'value') ?? attribute
}

const booleanOf = (value: Literal): boolean | null | undefined => {
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return undefined
}

export type Json = Readonly<Record<string, unknown>>

/** Function that adds to the counted work of a filter, and throws above a limit. */
export type Spend = (units: number) => void

const UNLIMITED: Spend = () => {}

/** Returns true if a resource, or an element of one of its lists, matches the filter. */
export function matches(filter: Filter, resource: Json, spend: Spend = UNLIMITED): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, resource, spend))
    case 'or':
      return filter.parts.some((part) => matches(part, resource, spend))
    case 'not':
      return !matches(filter.of, resource, spend)
    case 'present':
      return valuesAt(filter.path, resource, false, spend).length > 0
    case 'compare':
      return compares(filter, valuesAt(filter.path, resource, true, spend))
  }
}

/** Number of characters of a text that count as one more unit of work. */
const TEXT_UNIT = 200

/** @param compared true: returns only the value of a complex attribute */
function valuesAt(path: Path, resource: Json, compared: boolean, spend: Spend): unknown[] {
  const { extension, attribute, elements } = path
  const container = extension === null ? resource : resource[extension.id]
  const value = (container as Json | undefined)?.[attribute.name]
  if (value === undefined || value === null) return []
  const list = (Array.isArray(value) ? value : [value]) as unknown[]
  spend(typeof value === 'string' ? 1 + value.length / TEXT_UNIT : list.length)
  const chosen = elements === null ? list : list.filter((element) => matches(elements, element as Json, spend))
  const sub = compared && attribute.type === 'complex' ? comparedAttribute(path) : path.sub
  if (sub === null || sub === attribute) return chosen
  return chosen.map((element) => (element as Json)[sub.name]).filter((each) => each !== undefined && each !== null)
}

function compares({ path, operator, value }: Extract<Filter, { kind: 'compare' }>, found: readonly unknown[]): boolean {
  if (value === null) return operator === 'eq' ? found.length === 0 : operator === 'ne' && found.length > 0
  if (operator === 'ne') return !found.some((each) => compareOne(comparedAttribute(path), 'eq', each, value))
  return found.some((each) => compareOne(comparedAttribute(path), operator, each, value))
}

function compareOne({ type, caseExact }: Attribute, operator: Operator, stored: unknown, value: Literal): boolean {
  if (type === 'boolean') return stored === booleanOf(value)
  if (type === 'dateTime' && operator !== 'co' && operator !== 'sw' && operator !== 'ew') {
    return ordered(operator, Date.parse(String(stored)), Date.parse(String(value)))
  }
  const fold = (each: unknown) => (caseExact ? String(each) : String(each).toLowerCase())
  const [left, right] = [fold(stored), fold(value)]
  switch (operator) {
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    default:
      return ordered(operator, left, right)
  }
}

function ordered<T extends string | number>(operator: Operator, left: T, right: T): boolean {
  switch (operator) {
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
    default:
      return left === right
  }
}

/**
 * Returns an SQL condition that every match satisfies, from the comparisons with `eq`; null if there is none.
 * @param conditionOf returns the condition of an attribute and its sub-attribute (`emails.value`), or null
 */
export function indexCondition(filter: Filter, conditionOf: ConditionOf): RawBuilder<unknown> | null {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const conditions = filter.parts.map((part) => indexCondition(part, conditionOf))
    if (filter.kind === 'and') return conditions.find((each) => each !== null) ?? null
    return conditions.every((each) => each !== null) ? sql`(${sql.join(conditions, sql` or `)})` : null
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value === 'boolean') return null
  if (filter.value === null || filter.path.extension !== null) return null
  const { attribute } = filter.path
  const sub = attribute.type === 'complex' ? comparedAttribute(filter.path).name : null
  return conditionOf(sub === null ? attribute.name : `${attribute.name}.${sub}`, String(filter.value))
}

export type ConditionOf = (path: string, value: string) => RawBuilder<unknown> | null

/**
 * Returns the values of the list elements that decide whether the filter matches, for example `x` for `members eq "x"`;
 * null if every element can.
 */
export function elementsRead(filter: Filter, list: string): readonly string[] | null {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return allOf(filter.parts.map((part) => elementsRead(part, list)))
    case 'not':
      return elementsRead(filter.of, list)
    case 'present':
    case 'compare': {
      const { attribute, elements } = filter.path
      if (attribute.name !== list) return []
      if (elements !== null) return elementValues(elements)
      return filter.kind === 'compare' && comparedAttribute(filter.path).name === 'value' ? valueOf(filter) : null
    }
  }
}

/** Returns values, one of which a matching element must have; null if it can have any value. */
function elementValues(filter: Filter): readonly string[] | null {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const values = filter.parts.map(elementValues)
    return filter.kind === 'or' ? allOf(values) : (values.find((each) => each !== null) ?? null)
  }
  const isValue = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute.name === 'value'
  return isValue ? valueOf(filter) : null
}

const allOf = (values: readonly (readonly string[] | null)[]): readonly string[] | null =>
  values.every((each) => each !== null) ? values.flat() : null

const valueOf = ({ operator, value }: Extract<Filter, { kind: 'compare' }>): readonly string[] | null =>
  (operator === 'eq' || operator === 'ne') && value !== null ? [String(value)] : null

/** Values of the sub-attributes that an element must have to match a filter of `eq` comparisons; null for another filter. */
export function elementOf(filter: Filter): Record<string, unknown> | null {
  if (filter.kind === 'and') {
    const parts = filter.parts.map(elementOf)
    return parts.includes(null) ? null : Object.assign({}, ...parts)
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return null
  return { [filter.path.attribute.name]: filter.value }
}
