import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import kanel, { type Output } from 'kanel'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { createTables } from '@trainyard/platform/server/db/migrate.ts'
import { connectAll } from '@trainyard/modules/server.ts'

const { makePgTsGenerator, processDatabase, useKanelContext } = kanel

/**
 * `npm run types` writes the row types of each module next to its tables.sql, from a database with these tables. `npm run types -- --check` exits with 1 if a file would change.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const words = new URL('../platform/contract/words/', import.meta.url)

const pascal = (name: string): string =>
  name
    .split(/[_-]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

/** Keys whose type has another name than their table. */
const KEYS: Readonly<Record<string, string>> = {
  portal_user: 'UserId',
  machine_order: 'OrderId',
  azure_user: 'SandboxUserId',
  aws_user: 'SandboxUserId',
  person_erasure: 'ErasureId',
  invoice_reminder: 'ReminderId',
  lms_platform: 'LmsPlatformId',
}
/** Columns with a meaning that no constraint states, in every table or in one. */
const MEANINGS: Readonly<Record<string, string>> = {
  organisation_id: 'OrganisationId',
  relies_on: 'OrganisationId',
  works_for: 'OrganisationId',
  training_id: 'TrainingId',
  machine_id: 'MachineId',
  user_id: 'UserId',
  actor_id: 'UserId',
  controlled_by: 'UserId',
  actor_role: 'Role',
  'machine.allotted_minutes': 'Minutes',
  azure_tags: 'AzureTags',
  'template.place': 'Place',
  'machine.place': 'Place',
  'security_group.place': 'Place',
  'template.size': 'Size',
  'machine.size': 'Size',
  'template.image': 'ImageReference',
  'machine.image': 'ImageReference',
  'cloud_terms.image': 'ImageReference',
}
const FILES: Readonly<Record<string, string>> = {
  Role: 'platform/contract/words/role',
  Minutes: 'platform/contract/words/duration',
  AzureTags: 'platform/contract/words/azure-tags',
  Paise: 'platform/contract/words/money',
  RunCause: 'usage/contract/run',
  Place: 'templates/contract/provider',
  Size: 'templates/contract/provider',
  ImageReference: 'templates/contract/provider',
}
/** Types of the values that the driver returns. All others are texts. */
const PLAIN: Readonly<Record<string, string>> = {
  'pg_catalog.int2': 'number',
  'pg_catalog.int4': 'number',
  'pg_catalog.int8': 'number',
  'pg_catalog.bool': 'boolean',
  'pg_catalog.float8': 'number',
  'pg_catalog.timestamptz': 'Date',
  'pg_catalog.timestamp': 'Date',
  'pg_catalog.jsonb': 'unknown',
  'pg_catalog.bytea': 'Buffer',
}
const ids = new Set(
  [...readFileSync(new URL('ids.ts', words), 'utf8').matchAll(/export type (\w+Id)\b/g)].map(([, name]) => name!),
)
const imported = (name: string) => ({
  name,
  path: `@trainyard/${FILES[name] ?? 'platform/contract/words/ids'}.ts`,
  isAbsolute: true,
  isDefault: false,
  importAsType: true,
})
const ofKysely = (name: string) => ({ ...imported(name), path: 'kysely' })

/** Folders of the modules that have tables, by the name of the module. */
const areas = new Map(
  globSync('{platform,core/*,addons/*}/tables.sql', { cwd: root })
    .toSorted()
    .map((file) => [basename(dirname(file)), dirname(file)] as const),
)
const areaOf = new Map(
  [...areas].flatMap(([area, folder]) =>
    globSync(`${folder}/{tables,migrations/*}.sql`, { cwd: root })
      .flatMap((file) => [
        ...readFileSync(root + file, 'utf8').matchAll(/^create (?:(?:unlogged )?table|view) (\w+)/gm),
      ])
      .map(([, table]) => [table!, area] as const),
  ),
)

interface Reference {
  readonly tableName: string
  readonly columnName: string
}
interface Column {
  readonly name: string
  readonly type: { readonly fullName: string }
  readonly references?: readonly Reference[]
  readonly defaultValue: unknown
  readonly isNullable?: boolean | undefined
  readonly isIdentity: boolean
  readonly generated: string
}
interface Table {
  readonly name: string
  readonly kind: string
  readonly columns: readonly Column[]
  readonly checks?: readonly { readonly clause: string }[]
}

const tables = (): readonly Table[] => {
  const { tables, views } = useKanelContext().schemas['public']!
  return [...tables, ...views]
}

const tableNamed = (wanted: string): Table => tables().find(({ name }) => name === wanted)!

/** Returns the type of the key that a column is or refers to. */
function keyOf(table: string, column: string, seen: readonly string[] = []): string | null {
  if (column === 'id') {
    const name = KEYS[table] ?? `${pascal(table)}Id`
    if (ids.has(name)) return name
  }
  const at = `${table}.${column}`
  if (seen.includes(at)) return null
  const { references = [] } = tableNamed(table).columns.find(({ name }) => name === column)!
  for (const { tableName, columnName } of references) {
    const found = keyOf(tableName, columnName, [...seen, at])
    if (found !== null) return found
  }
  return null
}

/** Returns the values that a check allows for a column, as a union. */
function valuesOf({ checks = [] }: Table, column: string): string | null {
  for (const { clause } of checks) {
    const list = new RegExp(String.raw`^\(?\(?${column} = (?:ANY \(ARRAY\[(.*)\]\)|('[^']*'::text))\)?\)?$`, 's').exec(
      clause.trim(),
    )
    const values = (list?.[1] ?? list?.[2])?.match(/'(?:[^']|'')*'(?=::text)/g)
    if (values) return values.join(' | ')
  }
  return null
}

function meaningOf(table: Table, { name, type }: Column): string | null {
  const isNumber = type.fullName === 'pg_catalog.int8' || type.fullName === 'pg_catalog.int4'
  if (isNumber && /(^|_)paise(_|$)/.test(name)) return 'Paise'
  if (type.fullName === 'public.run_cause') return 'RunCause'
  return keyOf(table.name, name) ?? MEANINGS[`${table.name}.${name}`] ?? MEANINGS[name] ?? null
}

/** Makes the types of Kysely from those of a row. Removes what Kysely derives itself. */
function toKysely(output: Output): Output {
  const all = tables()
  for (const [path, file] of Object.entries(output)) {
    if (file.fileType !== 'typescript') continue
    const area = basename(path).replace('.gen', '')
    const here = [...areaOf].flatMap(([name, of]) => (of === area ? all.filter((table) => table.name === name) : []))
    const kept = here.flatMap((table) => {
      const name = `${pascal(table.name)}Table`
      const row = file.declarations.find((each) => each.declarationType === 'interface' && each.name === name)
      if (row?.declarationType !== 'interface') return []
      const properties = row.properties.map((property) => {
        const column = table.columns.find((each) => each.name === property.name)!
        const [typeName, kysely] = columnType(column, property.typeName + '[]'.repeat(property.dimensions))
        const typeImports = [...(property.typeImports ?? []), ...(kysely === null ? [] : [ofKysely(kysely)])]
        return { ...property, typeName, typeImports, dimensions: 0, isNullable: false }
      })
      const selected = {
        declarationType: 'typeDeclaration' as const,
        name: `${pascal(table.name)}Row`,
        exportAs: 'named' as const,
        typeDefinition: [`Selectable<${name}>`],
        typeImports: [ofKysely('Selectable')],
      }
      return [{ ...row, properties }, selected]
    })
    const schema = {
      declarationType: 'interface' as const,
      name: `${pascal(area)}Tables`,
      exportAs: 'named' as const,
      properties: here.map(({ name }) => ({
        name,
        typeName: `${pascal(name)}Table`,
        dimensions: 0,
        isNullable: false,
        isOptional: false,
      })),
    }
    output[path] = { ...file, declarations: [...kept, schema] }
  }
  return output
}

/** Returns the type of a column for Kysely, and the imports from Kysely that it needs. */
function columnType(column: Column, base: string): [type: string, kysely: string | null] {
  const value = column.isNullable ? `${base} | null` : base
  const hasDefault = column.defaultValue !== null || column.isIdentity
  if (column.generated === 'ALWAYS') return [`GeneratedAlways<${value}>`, 'GeneratedAlways']
  // The driver returns parsed documents and takes text.
  if (base === 'unknown') {
    const text = column.isNullable ? 'string | null' : 'string'
    return [
      `ColumnType<unknown, ${text}${hasDefault || column.isNullable ? ' | undefined' : ''}, ${text}>`,
      'ColumnType',
    ]
  }
  return hasDefault ? [`Generated<${value}>`, 'Generated'] : [value, null]
}

connectAll()
const temporary = mkdtempSync(join(tmpdir(), 'trainyard-types-'))
const database = await startEmbedded(join(temporary, 'data'))
const written = join(temporary, 'types')
try {
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  await createTables(owner)
  await owner.destroy()
  await processDatabase({
    connection: database.url,
    schemaNames: ['public'],
    outputPath: written,
    resolveViews: true,
    typescriptConfig: { enumStyle: 'literal-union', importsExtension: '.ts' },
    filter: ({ name, kind }) => kind !== 'function' && (kind === 'domain' || areaOf.has(name)),
    generators: [
      makePgTsGenerator({
        filter: ({ kind }) => kind !== 'domain',
        // Kanel asks for the type of each key, even if it is not used.
        customTypeMap: { 'pg_catalog.bytea': 'Buffer' },
        getMetadata: ({ name }, purpose, built) => ({
          ...built,
          name: purpose === 'selector' ? `${pascal(name)}Table` : built.name,
          comment: undefined,
          path: join(written, `${areaOf.get(name)!}.gen`),
          exportAs: 'named',
        }),
        getPropertyMetadata: (column: Column, { name }, _purpose, built) => {
          const table = tableNamed(name)
          const meaning = meaningOf(table, column)
          if (meaning !== null) return { ...built, typeOverride: { name: meaning, typeImports: [imported(meaning)] } }
          return { ...built, typeOverride: valuesOf(table, column.name) ?? PLAIN[column.type.fullName] ?? 'string' }
        },
        preRenderHooks: [toKysely],
      }),
    ],
    postRenderHooks: [
      (_path: string, lines: string[]) =>
        lines.filter((line, index) => line !== '' || !lines[index - 1]!.startsWith('  ')),
    ],
  })
  for (const [area, folder] of areas)
    appendFileSync(
      join(written, `${area}.gen.ts`),
      `\ndeclare module '${folder === 'platform' ? './server/db/schema.ts' : '@trainyard/platform/server/db/schema.ts'}' {\n  interface Schema extends ${pascal(area)}Tables {}\n}\n`,
    )
} finally {
  await database.stop()
}
execFileSync('npx', ['oxfmt', '--config', fileURLToPath(new URL('../.oxfmtrc.json', import.meta.url)), written])
const files = [...areas].map(([area, folder]) => ({
  written: join(written, `${area}.gen.ts`),
  kept: `${root}${folder}/tables.gen.ts`,
}))
const isStale = (file: (typeof files)[number]): boolean =>
  !existsSync(file.kept) || readFileSync(file.written, 'utf8') !== readFileSync(file.kept, 'utf8')
if (process.argv.includes('--check')) {
  const stale = files.filter(isStale).map(({ kept }) => relative(root, kept))
  if (stale.length > 0) {
    console.error(`The row types are not those of the tables: ${stale.join(', ')}. Run npm run types.`)
    process.exitCode = 1
  }
} else for (const file of files) writeFileSync(file.kept, readFileSync(file.written))
rmSync(temporary, { recursive: true, force: true })
