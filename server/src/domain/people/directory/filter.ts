import { type RawBuilder, sql } from 'kysely'
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

/** Operators of filters and paths (RFC 7644, sections 3.4.2.2 and 3.5.2). */

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Operator = (typeof OPERATORS)[number]

type Literal = string | number | boolean | null

/** An attribute, an optional filter of its elements, and an optional sub-attribute. */
export interface Path extends Place {
  readonly elements: Filter | null
  readonly sub: Attribute | null
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: Path }
  | { readonly kind: 'compare'; readonly path: Path; readonly operator: Operator; readonly value: Literal }

const LENGTH_MAX = 2_000
const DEPTH_MAX = 20

/** @throws ScimError invalidFilter */
export function parseFilter(type: ResourceType, given: string): Filter {
  // Entra ID and AWS name attributes of extensions without the schema: manager eq "...".
  const parser = new Parser(given, 'invalidFilter', (name) => placeOf(type, name) ?? placeInExtension(type, name))
  const filter = parser.filter()
  parser.end()
  return filter
}

/** Refusal of a filter or path because it names an unknown attribute. */
class UnknownAttribute extends ScimError {}

/**
 * Parses the path of a PATCH operation. Returns null if it names an unknown attribute.
 * @throws ScimError invalidPath
 */
export function parsePath(type: ResourceType, given: string): Path | null {
  const parser = new Parser(given, 'invalidPath', (name) => placeOf(type, name))
  try {
    const path = parser.path()
    parser.end()
    return path
  } catch (problem) {
    if (problem instanceof UnknownAttribute) return null
    throw problem
  }
}

/** Returns the extension whose whole object a path names. */
export const extensionNamed = (type: ResourceType, path: string): Schema | undefined =>
  type.extensions.find(({ id }) => id.toLowerCase() === path.trim().toLowerCase())

type Find = (name: string) => Place | null

class Parser {
  readonly #text: string
  readonly #error: ScimType
  #at = 0
  #depth = 0
  #find: Find

  constructor(text: string, error: ScimType, find: Find) {
    this.#text = text
    this.#error = error
    this.#find = find
    if (text.length > LENGTH_MAX) throw this.#refusal(`It must be at most ${LENGTH_MAX} characters long.`)
  }

  filter(): Filter {
    let left = this.#conjunction()
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#conjunction() }
    return left
  }

  path(): Path {
    const place = this.#place()
    const { attribute } = place
    const elements = this.#elements(attribute)
    return { ...place, elements, sub: this.#sub(attribute, place.sub) }
  }

  end(): void {
    if (this.#peek() !== '') throw this.#refusal(`Unexpected text at position ${this.#at + 1}.`)
  }

  #conjunction(): Filter {
    let left = this.#term()
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#term() }
    return left
  }

  #term(): Filter {
    if (this.#takeWord('not')) {
      if (this.#peek() !== '(') throw this.#refusal('Write not with parentheses.')
      return { kind: 'not', of: this.#group() }
    }
    return this.#peek() === '(' ? this.#group() : this.#comparison()
  }

  #group(): Filter {
    this.#at += 1
    const inner = this.#nested(() => this.filter())
    this.#expect(')')
    return inner
  }

  #comparison(): Filter {
    const path = this.path()
    if (this.#takeWord('pr')) return { kind: 'present', path }
    const keyword = this.#peekWord()?.toLowerCase()
    const operator = OPERATORS.find((known) => known === keyword)
    if (operator === undefined) {
      // The filter emails[type eq "work"] alone is true if an element matches.
      if (path.elements !== null && keyword === undefined) return { kind: 'present', path }
      throw this.#refusal(
        keyword === undefined ? 'An operator is missing.' : `Unknown operator ${keyword.slice(0, 20)}.`,
      )
    }
    const value = this.#literal()
    refuseImpossible(path, operator, value)
    return { kind: 'compare', path, operator, value }
  }

  #place(): Place & { readonly sub: string | null } {
    const name = /^[a-z$][\w$:.-]*/i.exec(this.#rest())?.[0]
    if (name === undefined) throw this.#refusal('The name of an attribute is missing.')
    // The longest known name is found first, because schemas contain dots.
    for (const end of [name.length, name.lastIndexOf('.')]) {
      if (end <= 0) continue
      const place = this.#find(name.slice(0, end))
      if (place === null) continue
      this.#advance(name.length)
      return { ...place, sub: end === name.length ? null : name.slice(end + 1) }
    }
    throw this.#unknown(`There is no attribute ${name.slice(0, 100)}.`)
  }

  #elements(attribute: Attribute): Filter | null {
    if (this.#text[this.#at] !== '[') return null
    const { subAttributes } = attribute
    if (subAttributes === undefined || !attribute.multiValued)
      throw this.#refusal(`${attribute.name} has no elements to filter.`)
    this.#at += 1
    const outer = this.#find
    this.#find = (name) => {
      const sub = findAttribute(subAttributes, name)
      return sub === undefined ? null : { extension: null, attribute: sub }
    }
    const filter = this.#nested(() => this.filter())
    this.#find = outer
    this.#expect(']')
    return filter
  }

  #sub(attribute: Attribute, before: string | null): Attribute | null {
    let name = before
    if (name === null && this.#text[this.#at] === '.') {
      name = /^\.([a-z$][\w$-]*)/i.exec(this.#rest())?.[1] ?? ''
      this.#advance(name.length + 1)
    }
    if (name === null) return null
    const sub = findAttribute(attribute.subAttributes ?? [], name)
    if (sub === undefined) throw this.#unknown(`${attribute.name} has no attribute ${name.slice(0, 100)}.`)
    return sub
  }

  /** Texts without quotation marks are accepted too, because some clients send them. */
  #literal(): Literal {
    this.#skipSpace()
    const quoted = /^"(?:[^"\\]|\\.)*"/s.exec(this.#rest())?.[0]
    if (quoted !== undefined) {
      this.#advance(quoted.length)
      try {
        return JSON.parse(quoted) as string
      } catch {
        throw this.#refusal('A value is not a valid JSON string.')
      }
    }
    const bare = /^[^\s()[\]"]+/.exec(this.#rest())?.[0]
    if (bare === undefined) throw this.#refusal('A value is missing.')
    this.#advance(bare.length)
    if (/^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === 'true'
    if (bare.toLowerCase() === 'null') return null
    return /^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : bare
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > DEPTH_MAX) throw this.#refusal('It is nested too deeply.')
    const value = read()
    this.#depth -= 1
    return value
  }

  #peekWord(): string | undefined {
    this.#skipSpace()
    const keyword = /^[a-z]+/i.exec(this.#rest())?.[0]
    if (keyword !== undefined) this.#advance(keyword.length)
    return keyword
  }

  #takeWord(requested: string): boolean {
    this.#skipSpace()
    const keyword = /^[a-z]+(?=[\s(]|$|[)\]])/i.exec(this.#rest())?.[0]
    if (keyword?.toLowerCase() !== requested) return false
    this.#advance(keyword.length)
    return true
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#refusal(`${character} is missing.`)
    this.#at += 1
  }

  #peek(): string {
    this.#skipSpace()
    return this.#text[this.#at] ?? ''
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #advance(length: number): void {
    this.#at += length
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #refusal(reason: string) {
    return badRequest(this.#error, `The ${this.#error === 'invalidPath' ? 'path' : 'filter'} is not valid. ${reason}`)
  }

  #unknown(reason: string) {
    const { status, scimType, message } = this.#refusal(reason)
    return new UnknownAttribute(status, scimType, message)
  }
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
      return matches(filter.left, resource, spend) && matches(filter.right, resource, spend)
    case 'or':
      return matches(filter.left, resource, spend) || matches(filter.right, resource, spend)
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
  if (filter.kind === 'and')
    return indexCondition(filter.left, conditionOf) ?? indexCondition(filter.right, conditionOf)
  if (filter.kind === 'or') {
    const [left, right] = [indexCondition(filter.left, conditionOf), indexCondition(filter.right, conditionOf)]
    return left === null || right === null ? null : sql`(${left} or ${right})`
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
    case 'or': {
      const [left, right] = [elementsRead(filter.left, list), elementsRead(filter.right, list)]
      return left === null || right === null ? null : [...left, ...right]
    }
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
  if (filter.kind === 'and') return elementValues(filter.left) ?? elementValues(filter.right)
  if (filter.kind === 'or') {
    const [left, right] = [elementValues(filter.left), elementValues(filter.right)]
    return left === null || right === null ? null : [...left, ...right]
  }
  const isValue = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute.name === 'value'
  return isValue ? valueOf(filter) : null
}

const valueOf = ({ operator, value }: Extract<Filter, { kind: 'compare' }>): readonly string[] | null =>
  (operator === 'eq' || operator === 'ne') && value !== null ? [String(value)] : null

/** Values of the sub-attributes that an element must have to match a filter of `eq` comparisons; null for another filter. */
export function elementOf(filter: Filter): Record<string, unknown> | null {
  if (filter.kind === 'and') {
    const [left, right] = [elementOf(filter.left), elementOf(filter.right)]
    return left === null || right === null ? null : { ...left, ...right }
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return null
  return { [filter.path.attribute.name]: filter.value }
}
