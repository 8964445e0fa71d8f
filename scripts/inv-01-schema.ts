import { readFileSync } from 'node:fs'

/** Writes the JSON Schema of the e-invoice INV-01 from its published table of fields (CSV, first argument). */
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

function cells(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell]) => (cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!))
    .slice(0, 11)
}

function fieldOf([, , type, minLength, maxLength, minimum, maximum, pattern]: string[]): Schema {
  if (type === 'object') return object()
  if (type === 'array') return { type: 'array', minItems: 1, items: object() }
  const insensitive = pattern!.startsWith('(?i)')
  // JSON Schema has no case-insensitive flag. The portal sends these words in capitals.
  const bare = insensitive ? pattern!.slice(4) : pattern!
  return {
    type: type!,
    ...(minLength !== '' && type === 'string' && { minLength: Number(minLength) }),
    ...(maxLength !== '' && type === 'string' && { maxLength: Number(maxLength) }),
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

function objectAt(path: string): Schema {
  let node = root
  for (const part of path === '(root)' ? [] : path.split('.')) {
    const name = part.replace('[]', '')
    const child: Schema = part.endsWith('[]') ? { type: 'array', minItems: 1, items: object() } : object()
    const next = (node.properties![name] ??= child)
    node = part.endsWith('[]') ? next.items! : next
  }
  return node
}

const [, ...rows] = readFileSync(process.argv[2]!, 'utf8').trim().split(/\r?\n/)
for (const row of rows.map(cells)) {
  const [path, name, , , , , , , , required] = row
  const parent = objectAt(path!)
  parent.properties![name!] ??= fieldOf(row)
  if (required === 'M') parent.required!.push(name!)
}
process.stdout.write(`${JSON.stringify(root, null, 2)}\n`)
