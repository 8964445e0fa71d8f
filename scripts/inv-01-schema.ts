import { readFileSync } from 'node:fs'

/**
 * Writes a JSON Schema (draft 07) of the e-invoice INV-01 from the published table of its fields, whose path is the
 * first argument. No published schema of INV-01 is valid JSON Schema.
 * `node scripts/inv-01-schema.ts einvoice-inv-01-v1.1-fields.csv > server/test/inv-01.schema.json`
 */
interface Schema {
  $schema?: string
  title?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
  [keyword: string]: unknown
}

const object = (): Schema => ({ type: 'object', properties: {}, required: [], additionalProperties: false })

/** Parses one line of CSV (RFC 4180). */
function cells(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell]) => (cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!))
    .slice(0, 11)
}

/** Returns the schema of a field. Objects and arrays are filled by the rows of the fields below them. */
function fieldOf([, , type, least, most, minimum, maximum, pattern]: string[]): Schema {
  if (type === 'object') return object()
  if (type === 'array') return { type: 'array', minItems: 1, items: object() }
  const insensitive = pattern!.startsWith('(?i)')
  // JSON Schema has no case-insensitive flag. The portal sends these words in capitals.
  const bare = insensitive ? pattern!.slice(4) : pattern!
  return {
    type: type!,
    ...(least !== '' && type === 'string' && { minLength: Number(least) }),
    ...(most !== '' && type === 'string' && { maxLength: Number(most) }),
    ...(minimum !== '' && { minimum: Number(minimum) }),
    ...(maximum !== '' && { maximum: Number(maximum) }),
    ...(bare !== '' && { pattern: bare }),
  }
}

const root: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'E-invoice INV-01 1.1, made from the table of its fields',
  ...object(),
}

/** Returns the object at a path such as `ItemList[].BchDtls` and creates missing objects on the way. */
function objectAt(path: string): Schema {
  let at = root
  for (const part of path === '(root)' ? [] : path.split('.')) {
    const name = part.replace('[]', '')
    const made: Schema = part.endsWith('[]') ? { type: 'array', minItems: 1, items: object() } : object()
    const next = (at.properties![name] ??= made)
    at = part.endsWith('[]') ? next.items! : next
  }
  return at
}

const [, ...rows] = readFileSync(process.argv[2]!, 'utf8').trim().split(/\r?\n/)
for (const row of rows.map(cells)) {
  const [path, name, , , , , , , , required] = row
  const parent = objectAt(path!)
  parent.properties![name!] ??= fieldOf(row)
  if (required === 'M') parent.required!.push(name!)
}
process.stdout.write(`${JSON.stringify(root, null, 2)}\n`)
