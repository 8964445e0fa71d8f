import * as iam from '@aws-sdk/client-iam'
import * as organizations from '@aws-sdk/client-organizations'
import * as sts from '@aws-sdk/client-sts'

/**
 * Models in AWS's SDK, in the format of its serialisers: an operation is `[9, namespace, name, traits, input, output]`,
 * a structure `[3, namespace, name, traits, members, shapes, required]` whose first `required` members are mandatory,
 * an error is like a structure, but starts with -3.
 */
export interface Model {
  readonly service: 'iam' | 'sts' | 'organizations'
  /** Version parameter of the Query protocol, or prefix of X-Amz-Target. */
  readonly version: string
  readonly protocol: 'query' | 'json'
  readonly operations: ReadonlyMap<string, { readonly input: Shape; readonly output: Shape }>
  readonly errors: ReadonlySet<string>
}

export type Shape =
  | { readonly kind: 'structure'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly item: () => Shape }
  | { readonly kind: 'text' | 'number' | 'boolean' | 'instant' | 'other' }

export interface Member {
  readonly name: string
  readonly required: boolean
  readonly shape: () => Shape
}

const structure = 3
const list = 1
const simple = 0
const operation = 9
const error = -3
const listOf = 64
const mapOf = 128

export const models: readonly Model[] = [
  modelOf('iam', 'query', '2010-05-08', iam),
  modelOf('sts', 'query', '2011-06-15', sts),
  modelOf('organizations', 'json', 'AWSOrganizationsV20161128', organizations),
]

function modelOf(service: Model['service'], protocol: Model['protocol'], version: string, sdk: object): Model {
  const schemas = Object.values(sdk).filter((each): each is unknown[] => Array.isArray(each))
  const operations = schemas.filter(([kind]) => kind === operation)
  const errors = schemas.filter(([kind]) => kind === error)
  return {
    service,
    protocol,
    version,
    operations: new Map(
      operations.map(([, , name, , input, output]) => [
        String(name),
        { input: shapeOf(input), output: shapeOf(output) },
      ]),
    ),
    errors: new Set(errors.flatMap(([, , name, traits]) => [String(name), queryCode(traits)])),
  }
}

/** Errors of the Query protocol may have a separate code in replies, such as NoSuchEntity. */
function queryCode(traits: unknown): string {
  const errorTraits = (traits as { awsQueryError?: [string, number] } | null)?.awsQueryError
  return errorTraits?.[0] ?? ''
}

function shapeOf(schemaOrFunction: unknown): Shape {
  const schema: unknown =
    typeof schemaOrFunction === 'function' ? (schemaOrFunction as () => unknown)() : schemaOrFunction
  if (typeof schema === 'number') return plainShape(schema)
  if (schema === 'unit') return { kind: 'structure', members: [] }
  if (!Array.isArray(schema)) return { kind: 'other' }
  const [kind, , , , namesOrItem, memberSchemas, required] = schema as unknown[]
  if (kind === simple) return shapeOf(namesOrItem)
  // A pair: the shape of a member and the traits of the member.
  if (typeof kind !== 'number') return shapeOf(kind)
  if (kind === list) return { kind: 'list', item: () => shapeOf(namesOrItem) }
  if (kind !== structure && kind !== error) return { kind: 'other' }
  const names = namesOrItem as string[]
  const shapes = memberSchemas as unknown[]
  return {
    kind: 'structure',
    members: names.map((name, index) => ({
      name,
      required: index < Number(required ?? 0),
      shape: () => shapeOf(shapes[index]),
    })),
  }
}

/** Maps the SDK's numbers of simple types: 0 text, 1 number, 2 boolean, 4 to 7 instants; plus 64 for a list. */
function plainShape(code: number): Shape {
  if ((code & listOf) !== 0 && (code & mapOf) === 0) return { kind: 'list', item: () => plainShape(code & ~listOf) }
  if (code === 0) return { kind: 'text' }
  if (code === 1) return { kind: 'number' }
  if (code === 2) return { kind: 'boolean' }
  return { kind: code >= 4 && code <= 7 ? 'instant' : 'other' }
}
