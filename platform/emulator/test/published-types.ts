import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from './exchange.ts'

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
  validate({ url, status, body }: Exchange): { readonly checked: number; readonly violations: readonly string[] } {
    const version = new URL(url).searchParams.get('api-version') ?? ''
    if ((status !== 200 && status !== 201) || body === '') return { checked: 0, violations: [] }
    const reply = JSON.parse(body) as { value?: unknown; type?: unknown }
    const items: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [reply]
    const resources = items.filter((each): each is { type: string } => typeof typeOf(each) === 'string')
    const publishedResources = resources.flatMap((resource) => {
      const published = this.#resources.get(`${resource.type}@${nearest[version] ?? version}`.toLowerCase())
      return published === undefined ? [] : [{ resource, published }]
    })
    return {
      checked: publishedResources.length,
      violations: publishedResources.flatMap(({ resource, published: { types, body: shape } }) =>
        violationsOf(types, shape, resource, resource.type),
      ),
    }
  }
}

const typeOf = (each: unknown): unknown => (each as { type?: unknown } | null)?.type

function violationsOf(types: readonly PublishedType[], { $ref }: Reference, value: unknown, path: string): string[] {
  const type = types[Number($ref.slice(2))]
  switch (type?.$type) {
    case 'ObjectType':
      return violationsOfObject(types, type, value, path)
    case 'ArrayType':
      if (!Array.isArray(value) || type.itemType === undefined) return [`${path} is not a list`]
      return value.flatMap((item, index) => violationsOf(types, type.itemType!, item, `${path}[${index}]`))
    case 'UnionType': {
      const branches = (type.elements ?? []).map((branch) => violationsOf(types, branch, value, path))
      return branches.some((violations) => violations.length === 0) ? [] : [`${path} matches no member of the union`]
    }
    case 'StringLiteralType':
      return value === type.value ? [] : [`${path} is not ${type.value}`]
    case 'StringType':
      return typeof value === 'string' ? [] : [`${path} is not a string`]
    case 'IntegerType':
      return Number.isInteger(value) ? [] : [`${path} is not an integer`]
    case 'BooleanType':
      return typeof value === 'boolean' ? [] : [`${path} is not a boolean`]
    default:
      return []
  }
}

function violationsOfObject(
  types: readonly PublishedType[],
  { properties = {}, additionalProperties }: PublishedType,
  value: unknown,
  path: string,
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is not an object`]
  const missing = Object.entries(properties)
    .filter(([name, property]) => isRequired(property) && !isWriteOnly(property) && !(name in value))
    .map(([name]) => `${path}.${name} is missing`)
  const invalid = Object.entries(value).flatMap(([name, field]) => {
    const property = properties[name]
    if (property === undefined && additionalProperties === undefined) return [`${path}.${name} is not published`]
    if (property !== undefined && isWriteOnly(property)) return [`${path}.${name} is write-only`]
    return violationsOf(types, property?.type ?? additionalProperties!, field, `${path}.${name}`)
  })
  return [...missing, ...invalid]
}
