import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '#test/exchange.ts'

/** Files of Azure's Bicep types, which are published for newer api-versions than the available OpenAPI files. */
const folders = [
  'compute_1/microsoft.compute/2026-04-01',
  'compute_1/microsoft.compute/2025-12-03',
  'compute_1/microsoft.compute/2026-03-02',
  'network/microsoft.network/2025-09-01',
  'resources_11/microsoft.resources/2025-04-01',
]

/** Replacements for versions without published types. */
const nearest: Readonly<Record<string, string>> = { '2026-01-01': '2025-09-01' }

interface Reference {
  readonly $ref: string
}

interface Property {
  readonly type: Reference
  readonly flags: number
}

interface PublishedType {
  readonly $type: string
  readonly name?: string
  readonly value?: string
  readonly body?: Reference
  readonly properties?: Readonly<Record<string, Property>>
  readonly additionalProperties?: Reference
  readonly baseProperties?: Readonly<Record<string, Property>>
  readonly elements?: readonly Reference[]
  readonly itemType?: Reference
}

const isRequired = ({ flags }: Property) => (flags & 1) !== 0
const isWriteOnly = ({ flags }: Property) => (flags & 4) !== 0

/** Reads the published types next to the OpenAPI folder `specification`. Returns undefined if they do not exist. */
export function publishedTypes(specification: string | undefined): PublishedTypes | undefined {
  if (specification === undefined) return undefined
  const root = join(specification, '../bicep-types-az/generated')
  return existsSync(root) ? new PublishedTypes(root) : undefined
}

class PublishedTypes {
  readonly #resources = new Map<string, { readonly types: readonly PublishedType[]; readonly body: Reference }>()

  constructor(root: string) {
    for (const folder of folders) {
      const types = JSON.parse(readFileSync(join(root, folder, 'types.json'), 'utf8')) as PublishedType[]
      for (const { $type, name, body } of types) {
        if ($type !== 'ResourceType' || name === undefined || body === undefined) continue
        this.#resources.set(name.toLowerCase(), { types, body })
      }
    }
  }

  /**
   * Returns the differences between a reply's resources and the published types, and the number of checked resources.
   */
  judge({ url, status, body }: Exchange): { readonly looked: number; readonly violations: readonly string[] } {
    const version = new URL(url).searchParams.get('api-version') ?? ''
    if ((status !== 200 && status !== 201) || body === '') return { looked: 0, violations: [] }
    const reply = JSON.parse(body) as { value?: unknown; type?: unknown }
    const shown: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [reply]
    const resources = shown.filter((each): each is { type: string } => typeof typeOf(each) === 'string')
    const known = resources.flatMap((resource) => {
      const published = this.#resources.get(`${resource.type}@${nearest[version] ?? version}`.toLowerCase())
      return published === undefined ? [] : [{ resource, published }]
    })
    return {
      looked: known.length,
      violations: known.flatMap(({ resource, published: { types, body: shape } }) =>
        violationsOf(types, shape, resource, resource.type),
      ),
    }
  }
}

const typeOf = (each: unknown): unknown => (each as { type?: unknown } | null)?.type

function violationsOf(types: readonly PublishedType[], { $ref }: Reference, value: unknown, at: string): string[] {
  const type = types[Number($ref.slice(2))]
  switch (type?.$type) {
    case 'ObjectType':
      return violationsOfObject(types, type, value, at)
    case 'ArrayType':
      if (!Array.isArray(value) || type.itemType === undefined) return [`${at} is not a list`]
      return value.flatMap((item, index) => violationsOf(types, type.itemType!, item, `${at}[${index}]`))
    case 'UnionType': {
      const branches = (type.elements ?? []).map((branch) => violationsOf(types, branch, value, at))
      return branches.some((violations) => violations.length === 0) ? [] : [`${at} matches no member of the union`]
    }
    case 'StringLiteralType':
      return value === type.value ? [] : [`${at} is not ${type.value}`]
    case 'StringType':
      return typeof value === 'string' ? [] : [`${at} is not a string`]
    case 'IntegerType':
      return Number.isInteger(value) ? [] : [`${at} is not an integer`]
    case 'BooleanType':
      return typeof value === 'boolean' ? [] : [`${at} is not a boolean`]
    default:
      return []
  }
}

function violationsOfObject(
  types: readonly PublishedType[],
  { properties = {}, additionalProperties }: PublishedType,
  value: unknown,
  at: string,
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is not an object`]
  const missing = Object.entries(properties)
    .filter(([name, property]) => isRequired(property) && !isWriteOnly(property) && !(name in value))
    .map(([name]) => `${at}.${name} is missing`)
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const property = properties[name]
    if (property === undefined && additionalProperties === undefined) return [`${at}.${name} is not published`]
    if (property !== undefined && isWriteOnly(property)) return [`${at}.${name} is write-only`]
    return violationsOf(types, property?.type ?? additionalProperties!, each, `${at}.${name}`)
  })
  return [...missing, ...wrong]
}
