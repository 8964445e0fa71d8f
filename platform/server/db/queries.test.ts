import type { EventEmitter } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import pg from 'pg'
import { API, SignatureKind, SymbolFlags, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'
import { sharedDatabase } from '../../test/shared.ts'

/**
 * Prepares each statement of the files `queries.ts` against the schema, and compares its columns with the declared row.
 * A statement is compiled by calling its function with samples of the declared parameters, each member of a union once;
 * it is not run.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const api = new API({ cwd: root })
const { checker, program } = api
  .updateSnapshot({ openProjects: [`${root}tsconfig.server.json`] })
  .getProject(`${root}tsconfig.server.json`)!
const { url } = await sharedDatabase()
const client = new pg.Client({ connectionString: url })
await client.connect()
const { rows: lists } = await client.query<{ oid: number }>(`select oid::int from pg_type where typcategory = 'A'`)
const LISTS = new Set(lists.map(({ oid }) => oid))
afterAll(async () => {
  await client.end()
  api.close()
})

interface Statement {
  readonly file: string
  readonly name: string
  /** Properties of the declared row; null if the statement declares none. */
  readonly row: readonly { readonly name: string; readonly optional: boolean; readonly type: Type }[] | null
  readonly runs: readonly ((db: unknown) => unknown)[]
}

/** Returns the exported functions of a file that run a statement. The others return parts of statements. */
async function statementsIn(file: string): Promise<Statement[]> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(`${root}${file}`)!)!
  const functions = (await import(`${root}${file}`)) as Record<string, (...input: unknown[]) => unknown>
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol)!, SignatureKind.Call)
    const result = signature && checker.getReturnTypeOfSignature(signature)!
    if (result === undefined || !checker.typeToString(result).startsWith('Promise<QueryResult<')) return []
    const row = argumentOf(argumentOf(result))
    const [, ...parameters] = signature!.getParameters()
    const samples = varied(parameters.map((parameter) => samplesOf(checker.getTypeOfSymbol(parameter)!)))
    return {
      file,
      name: symbol.name,
      row: row.flags & (TypeFlags.Unknown | TypeFlags.Any) ? null : propertiesOf(row),
      runs: samples.map((input) => (db: unknown) => functions[symbol.name]!(db, ...input)),
    }
  })
}

const argumentOf = (type: Type): Type => checker.getTypeArguments(type as TypeReference)[0]!

const propertiesOf = (type: Type) =>
  checker.getPropertiesOfType(type).map((property) => ({
    name: property.name,
    optional: (property.flags & SymbolFlags.Optional) !== 0,
    type: checker.getTypeOfSymbol(property)!,
  }))

/** Returns a value of each member of the type. The value matters only where the statement depends on it. */
function samplesOf(type: Type): unknown[] {
  if (type.isLiteralType()) return [type.value]
  if (type.isUnionType())
    return type
      .getTypes()
      .toSorted((a, b) => Number(isNothing(a)) - Number(isNothing(b)))
      .flatMap(samplesOf)
  const text = checker.typeToString(type)
  if (isNothing(type)) return [type.flags & TypeFlags.Undefined ? undefined : null]
  if (type.flags & TypeFlags.Number) return [1]
  if (type.flags & TypeFlags.BooleanLike) return [true, false]
  if (/^(RawBuilder|Expression)</.test(text)) return [sql`true`]
  if (text === 'Date') return [new Date(0)]
  if (type.flags & TypeFlags.String || isBranded(type, TypeFlags.String)) {
    return ['00000000-0000-0000-0000-000000000000']
  }
  if (isBranded(type, TypeFlags.Number)) return [1]
  if (text.startsWith('Buffer')) return [Buffer.alloc(0)]
  if (checker.isArrayType(type)) return [[samplesOf(argumentOf(type))[0]]]
  if (/^(Readonly)?Set</.test(text)) return [new Set([samplesOf(argumentOf(type))[0]])]
  if (/^(Readonly)?Map</.test(text)) return [new Map()]
  const properties = propertiesOf(type)
  return varied(properties.map(({ type: of }) => samplesOf(of))).map((values) =>
    Object.fromEntries(properties.map(({ name }, index) => [name, values[index]])),
  )
}

/** Returns the first of all lists, then with each further value of one list. */
const varied = (lists: readonly unknown[][]): unknown[][] => {
  const firsts = lists.map(([first]) => first)
  return [firsts, ...lists.flatMap(([, ...others], index) => others.map((other) => firsts.with(index, other)))]
}

const isNothing = ({ flags }: Type): boolean => (flags & NOTHING) !== 0

const NOTHING = TypeFlags.Null | TypeFlags.Undefined

const isBranded = (type: Type, flag: TypeFlags): boolean =>
  type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & flag)

/** Returns the kinds of column that the declared type can represent. */
function kindsOf(type: Type): Set<string> {
  if (type.isUnionType()) return new Set(type.getTypes().flatMap((member) => [...kindsOf(member)]))
  const { flags } = type
  if (flags & NOTHING) return new Set()
  if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return new Set(['any'])
  if (flags & TypeFlags.StringLike || isBranded(type, TypeFlags.String)) return new Set(['text'])
  if (flags & TypeFlags.NumberLike || isBranded(type, TypeFlags.Number)) return new Set(['number'])
  if (flags & TypeFlags.BooleanLike) return new Set(['boolean'])
  const text = checker.typeToString(type)
  if (text === 'Date') return new Set(['time'])
  if (text.startsWith('Buffer')) return new Set(['bytes'])
  return new Set(checker.isArrayType(type) || checker.isTupleType(type) ? ['list', 'json'] : ['json'])
}

const { builtins } = pg.types
const KINDS: Readonly<Record<number, string>> = {
  [builtins.BOOL]: 'boolean',
  [builtins.INT2]: 'number',
  [builtins.INT4]: 'number',
  [builtins.INT8]: 'number',
  [builtins.FLOAT4]: 'number',
  [builtins.FLOAT8]: 'number',
  [builtins.TIMESTAMPTZ]: 'time',
  [builtins.JSON]: 'json',
  [builtins.JSONB]: 'json',
  [builtins.BYTEA]: 'bytes',
}

interface ProtocolConnection extends EventEmitter {
  parse(statement: { readonly text: string }): void
  describe(of: { readonly type: 'S' }): void
  sync(): void
}

/** Returns the kind of each column by name, as PostgreSQL describes the prepared statement. */
async function columnsOf(text: string): Promise<Map<string, string>> {
  const { connection } = client as unknown as { readonly connection: ProtocolConnection }
  const { promise, resolve, reject } = Promise.withResolvers<readonly pg.FieldDef[]>()
  // The client answers queries only. It gets the reply to a description through these events of its connection.
  const query = {
    submit: () => {
      connection.parse({ text })
      connection.describe({ type: 'S' })
      connection.sync()
    },
    handleRowDescription: ({ fields }: { readonly fields: readonly pg.FieldDef[] }) => resolve(fields),
    handleError: reject,
    handleReadyForQuery: () => resolve([]),
  }
  client.query(query as unknown as pg.Submittable)
  const fields = await promise
  return new Map(
    fields.map(({ name, dataTypeID }) => [name, KINDS[dataTypeID] ?? (LISTS.has(dataTypeID) ? 'list' : 'text')]),
  )
}

async function compiled(run: Statement['runs'][number]): Promise<string> {
  const texts: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createDriver: () =>
        Object.assign(new DummyDriver(), {
          acquireConnection: async () => ({
            executeQuery: async ({ sql: text }: CompiledQuery): Promise<QueryResult<never>> => {
              texts.push(text)
              return { rows: [] }
            },
            streamQuery: () => expect.unreachable(),
          }),
        }),
    },
  })
  await run(db)
  const [text, ...others] = texts
  expect(others).toEqual([])
  return text!
}

const files = globSync('{platform,core,addons}/**/server/**/queries.ts', { cwd: root }).filter(
  (file) => !file.includes('/invariants/'),
)
const statements = (await Promise.all(files.map(statementsIn))).flat()

test.each(statements)('$file: $name', async ({ runs, row }) => {
  const texts = new Set(await Promise.all(runs.map(compiled)))
  for (const text of texts) expectRow(await columnsOf(text), row)
})

function expectRow(columns: ReadonlyMap<string, string>, row: Statement['row']): void {
  if (row === null) return
  const declared = new Map(
    row.filter(({ name, optional }) => !optional || columns.has(name)).map(({ name, type }) => [name, kindsOf(type)]),
  )
  expect([...columns.keys()].toSorted()).toEqual([...declared.keys()].toSorted())
  const wrong = [...columns].filter(([name, kind]) => !declared.get(name)!.has(kind) && !declared.get(name)!.has('any'))
  expect(wrong.map(([name, kind]) => `${name}: ${kind}, not ${[...declared.get(name)!].join(' | ')}`)).toEqual([])
}

test.each(files)('%s exports each of its statements', (file) => {
  const found = statements.filter((statement) => statement.file === file)
  expect(readFileSync(`${root}${file}`, 'utf8').match(/\.execute\(/g) ?? []).toHaveLength(found.length)
})

/** Files whose statements depend on a table, columns or parts that their callers choose. */
const GENERIC =
  /^(?:platform\/server\/(?:db|run\/(?:reconcile|secrets))|core\/(?:sandbox-azure|sandbox-aws|lab-users|usage\/server\/test-runs)|addons\/(?:scim|privacy|lti|remote-access\/server\/ending|audit-chain\/server\/list|budgets\/server\/spent))/
const STATEMENT = /\bsql(<[^`]*?>)?`(?:[^`$]|\$\{(?:[^`{}]|`[^`]*`|\{[^}]*\})*\}|\$)*`\s*\.execute\(/

test('whole statements are in files named queries.ts', () => {
  const others = globSync('{platform,core,addons}/**/server/**/*.ts', { cwd: root }).filter(
    (file) => !/queries\.ts$|\.test\.ts$/.test(file) && !GENERIC.test(file),
  )
  expect(others.filter((file) => STATEMENT.test(readFileSync(`${root}${file}`, 'utf8')))).toEqual([])
})
