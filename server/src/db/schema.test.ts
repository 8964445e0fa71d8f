import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { type ESTree, parseSync } from 'vite'
import { expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'

/** Compares the TypeScript types of the tables with the columns of the migrated database. */

interface Column {
  /** Type of the value that the driver returns. */
  readonly is: string
  readonly nullable: boolean
  /** True if an insert can omit the column. */
  readonly mayBeLeftOut: boolean
}

type Tables = Record<string, Record<string, Column>>

/** Types of the contract that are numbers. All other types are texts or documents. */
const NUMBERS = /^(number|Paise|Minutes)$/

const database = await sharedDatabase({ size: 1 })
const { db } = database

test('the TypeScript types match the columns: names, types, nullability and defaults', async () => {
  const [declared, actual] = [tablesInTypes(), await tablesInDatabase()]
  expect(Object.keys(declared).length).toBeGreaterThan(35)
  expect(mismatches(declared, actual)).toEqual([])
})

test.each([
  ['a column that no type names', { run: { hidden: { is: 'text', nullable: true, mayBeLeftOut: true } } }],
  ['a table that no type names', { lost: { id: { is: 'text', nullable: false, mayBeLeftOut: false } } }],
])('detects %s', async (_what, more) => {
  const actual: Tables = await tablesInDatabase()
  for (const [table, columns] of Object.entries(more)) actual[table] = { ...actual[table], ...columns }
  expect(mismatches(tablesInTypes(), actual)).toHaveLength(1)
})

test('no index uses GiST (docs/decisions/103-no-gist-indexes.md)', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_am on pg_am.oid = c.relam
      join pg_namespace n on n.oid = c.relnamespace where amname = 'gist' and nspname = 'public'`.execute(db)
  expect(rows).toEqual([])
})

function mismatches(declared: Tables, actual: Tables): string[] {
  const found: string[] = []
  for (const table of new Set([...Object.keys(declared), ...Object.keys(actual)])) {
    const names = new Set([...Object.keys(declared[table] ?? {}), ...Object.keys(actual[table] ?? {})])
    for (const name of names) {
      const [typed, column] = [declared[table]?.[name], actual[table]?.[name]]
      const at = `${table}.${name}`
      if (typed === undefined) found.push(`${at} has no type`)
      else if (column === undefined) found.push(`${at} is no column`)
      else if (typed.is !== column.is) found.push(`${at} is typed ${typed.is} and is ${column.is}`)
      else if (typed.nullable !== column.nullable) found.push(`${at} ${column.nullable ? 'may' : 'can never'} be null`)
      else if (typed.mayBeLeftOut && !column.mayBeLeftOut) found.push(`${at} can not be left out`)
    }
  }
  return found
}

async function tablesInDatabase(): Promise<Tables> {
  const { rows } = await sql<{ table: string; name: string; type: string; nullable: boolean; given: boolean }>`
    select c.table_name as "table", column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as given
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
      and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)`.execute(
    db,
  )
  const tables: Tables = {}
  for (const { table, name, type, nullable, given } of rows) {
    const column = { is: kindOf(type), nullable, mayBeLeftOut: given || nullable }
    tables[table] = { ...tables[table], [name]: column }
  }
  return tables
}

function kindOf(type: string): string {
  if (/^(int[248]|float8)$/.test(type)) return 'number'
  if (/^timestamptz?$/.test(type)) return 'date'
  return { bool: 'boolean', bytea: 'bytes', jsonb: 'document' }[type] ?? 'text'
}

type Interface = ESTree.TSInterfaceDeclaration

/** Returns the tables in the type `Schema`, read from the source files in `schema/`. */
function tablesInTypes(): Tables {
  const folder = path.join(import.meta.dirname, 'schema')
  const files = readdirSync(folder).map((name) => path.join(folder, name))
  const interfaces = new Map<string, { readonly body: Interface; readonly source: string }>()
  for (const file of [path.join(import.meta.dirname, 'schema.ts'), ...files]) {
    const source = readFileSync(file, 'utf8')
    for (const statement of parseSync(file, source).program.body) {
      const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (node?.type === 'TSInterfaceDeclaration') interfaces.set(node.id.name, { body: node, source })
    }
  }
  const membersOf = (name: string): [string, string][] => {
    const { body, source } = interfaces.get(name)!
    const inherited = body.extends.flatMap(({ expression }) =>
      expression.type === 'Identifier' ? membersOf(expression.name) : [],
    )
    const members = body.body.body.flatMap((member): [string, string][] =>
      member.type === 'TSPropertySignature' && member.key.type === 'Identifier' && member.typeAnnotation
        ? [[member.key.name, source.slice(member.typeAnnotation.start, member.typeAnnotation.end).replace(/^:\s*/, '')]]
        : [],
    )
    return [...inherited, ...members]
  }
  return Object.fromEntries(
    membersOf('Schema').map(([table, type]) => [
      table,
      Object.fromEntries(membersOf(type).map(([name, declared]) => [name, columnOf(declared)])),
    ]),
  )
}

function columnOf(declared: string): Column {
  // JSON columns return parsed values and accept text.
  const given = /^ColumnType<unknown, ([^,]*), [^,]*>$/.exec(declared)?.[1]
  if (given !== undefined) return { is: 'document', nullable: given.includes('null'), mayBeLeftOut: false }
  const wrapper = /^(Generated|DefaultId|ReadOnly|Immutable)<(.*)>$/s.exec(declared)
  const inner = wrapper?.[2] ?? declared
  const parts = inner.split('|').map((part) => part.trim())
  const first = parts.find((part) => part !== 'null') ?? ''
  const nullable = parts.includes('null')
  const is = NUMBERS.test(first)
    ? 'number'
    : ({ Date: 'date', Buffer: 'bytes', boolean: 'boolean', AzureTags: 'document' }[first] ?? 'text')
  return { is, nullable, mayBeLeftOut: nullable || /^(Generated|DefaultId)$/.test(wrapper?.[1] ?? '') }
}
