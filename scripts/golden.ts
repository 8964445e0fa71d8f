import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditLabelsOf } from '@trainyard/platform/contract/audit-labels.ts'
import { type Call, limitsOf, methodOf, pathOf, sizeOf } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { classOf, isReserved } from '@trainyard/platform/server/http/admission/call-class.ts'
import { tasksOf } from '@trainyard/platform/server/core/module.ts'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { claimableTables } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import '@trainyard/platform/test/connect-modules.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

function callsOf(modules: object): object[] {
  const calls = Object.entries(modules).flatMap(([module, calls]) =>
    Object.entries(calls as Record<string, Call>).map(([name, call]) => propertiesOf(`${module}.${name}`, call)),
  )
  return calls.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns what the declaration of a call says, in the form of version 0.2.0. */
function propertiesOf(name: string, call: Call) {
  const { for: roles, does: summary, kind, before = [], once, instructors } = call
  return {
    name,
    method: methodOf(call),
    path: pathOf(call),
    roles,
    ...(call.public && { publicApi: call.public }),
    ...(call.refusal && { refusal: call.refusal }),
    summary,
    ...(instructors && { instructors }),
    ...(once && { creates: true }),
    ...(before.includes('new password') && { allowedBeforePasswordChange: true }),
    ...(before.includes('second factor') && { allowedBeforeSecondFactor: true }),
    ...(kind !== undefined && { [kind]: true }),
    freshProof: call.proof === 'fresh',
    audit: auditLabelsOf(contract, {})[name] ?? null,
    class: classOf(call),
    limits: limitsOf(call).map(({ name: limit }) => limit),
    reserved: isReserved(call),
    size: sizeOf(call),
  }
}

interface WebModule {
  readonly screens?: readonly { readonly path: string; readonly title: string; readonly for: readonly string[] }[]
}

async function screens(): Promise<object[]> {
  // The path is not a literal, because the compiler would check the screens without the types of a browser.
  const list = fileURLToPath(new URL('../apps/modules/web.ts', import.meta.url))
  const { modules } = (await import(list)) as { readonly modules: readonly WebModule[] }
  return modules
    .flatMap((module) => module.screens ?? [])
    .map(({ path, title, for: roles }) => ({ path, title, roles }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function lists(): Promise<object> {
  // Only names and periods are read, so no task runs. A period that depends on the settings is null.
  const absent = new Proxy({}, { get: () => absent }) as never
  const tasks = tasksOf(SERVER_MODULES, absent, absent).map(({ name, every, on }) => ({
    name,
    every: typeof every === 'number' ? every : null,
    on,
  }))
  return {
    tasks: tasks.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    kinds: claimableTables(SERVER_MODULES).toSorted(),
    jobs: SERVER_MODULES.flatMap(({ jobs = [] }) => jobs.map(({ job }) => job.name)).toSorted(),
    screens: await screens(),
  }
}

/**
 * Queries for one line of text per fact of the schema, as `fact`. pg_dump cannot be used, because the embedded PostgreSQL
 * does not contain it. The order of columns and the comments are left out.
 */
const FACTS = [
  `select format('relation %s %s %s acl %s options %s view %s', relkind, oid::regclass, relpersistence,
      (select string_agg(acl::text, ' ' order by acl::text) from unnest(relacl) acl), reloptions,
      case when relkind = 'v' then pg_get_viewdef(oid, true) end)
     from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I')`,
  `select format('column %s.%s %s not null %s default %s identity %s generated %s acl %s', attrelid::regclass, attname,
      format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated, attacl)
     from pg_attribute join pg_class c on c.oid = attrelid
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped`,
  `select format('type %s labels %s', oid::regtype,
      (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
     from pg_type t where typnamespace = 'public'::regnamespace and typtype = 'e'`,
  `select format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  `select format('index %s', pg_get_indexdef(indexrelid))
     from pg_index join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace`,
  `select format('function %s acl %s', pg_get_functiondef(oid), proacl)
     from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`,
  `select format('trigger %s', pg_get_triggerdef(t.oid)) from pg_trigger t join pg_class c on c.oid = tgrelid
     where not tgisinternal and relnamespace = 'public'::regnamespace`,
]

/** Returns the schema as sorted lines. Databases with equal lines have equal schemas. */
async function schemaOf(url: string): Promise<string[]> {
  const facts = await Promise.all(
    FACTS.map((query) => queryDatabase(url, `select fact from (${query}) facts (fact)`) as Promise<{ fact: string }[]>),
  )
  return facts.flatMap((rows) => rows.map(({ fact }) => fact)).toSorted()
}

/**
 * `npx node scripts/golden.ts`: writes the schema, the computed properties of all calls, and the lists of tasks, kinds,
 * jobs and screens to scripts/golden/. A change of structure must leave these files equal.
 */
const folder = fileURLToPath(new URL('golden/', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}calls.json`, text(callsOf(contract)))
writeFileSync(`${folder}lists.json`, text(await lists()))
const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-golden-'))
const database = await startEmbedded(dataDir)
const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
await migrateAll(owner)
writeFileSync(`${folder}schema.txt`, `${(await schemaOf(database.url)).join('\n')}\n`)
await owner.destroy()
await database.stop()
