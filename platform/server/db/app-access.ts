import { sql } from 'kysely'
import { ConfigError } from '../core/errors.ts'
import { connectedModules } from '../core/events.ts'
import type { Access } from '../core/tables.ts'
import { ROLE_LIMITS, timeoutSettings } from './client.ts'
import { APP_ROLE, type Login, scramVerifier } from './roles.ts'
import type { Db, Tx } from './schema.ts'

const MIGRATOR_TABLES = ['applied_area']

const declared = () => connectedModules().flatMap(({ tables }) => (tables === undefined ? [] : [tables]))

const accesses = (): readonly (readonly [table: string, Access])[] =>
  declared().flatMap(({ access = {} }) => Object.entries(access))

const tablesWith = (writes: Access['writes']): string[] =>
  accesses().flatMap(([table, access]) => (access.writes === writes ? [table] : []))

/** Returns the tables whose rows the app's role cannot change or delete. */
export const protectedTables = (): string[] => [...tablesWith('insert'), ...tablesWith('none')]

/** Returns the functions of the owner that the app may execute. */
const appFunctions = (): string[] => declared().flatMap(({ executes = [] }) => executes)

/**
 * @param last runs at the end of the transaction
 * @throws ConfigError if the app's role could still change history
 */
export async function grantAppAccess(
  owner: Db,
  app: Login,
  last: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await grantPrivileges(tx)
    await grantInserts(tx)
    await grantUpdates(tx)
    await allowLogin(tx, app)
    await limitTime(tx, app.role)
    const history = await changeableHistory(tx, app.role)
    const power =
      (await historyRiskOf(tx, app.role)) ??
      (history.length === 0
        ? null
        : `can change rows of ${history.join(', ')}, by its own privileges or those of a role it belongs to`)
    if (power !== null) {
      throw new ConfigError(
        `The role ${app.role}, which API and worker log in as, ${power}. Name another in DATABASE_APP_URL.`,
      )
    }
    await last(tx)
  })
}

async function grantPrivileges(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(tx)
  await sql
    .raw(
      `do $$ begin create role ${APP_ROLE} login; exception when duplicate_object or unique_violation then null; end $$;
       grant connect on database ${rows[0]!.name} to ${APP_ROLE};
       -- Without this, functions of the owner could use a temporary table with the same name instead of the portal's
       -- table.
       revoke temporary on database ${rows[0]!.name} from public, ${APP_ROLE};
       revoke create on schema public from public, ${APP_ROLE};
       grant usage on schema public, pgboss to ${APP_ROLE};
       grant select, insert, update, delete on all tables in schema public, pgboss to ${APP_ROLE};
       grant usage on all sequences in schema public, pgboss to ${APP_ROLE};
       grant execute on all functions in schema pgboss to ${APP_ROLE};
       grant execute on function ${appFunctions().join(', ')} to ${APP_ROLE};
       revoke update, delete, truncate on ${tablesWith('insert').join(', ')} from ${APP_ROLE};
       revoke insert, update, delete, truncate on ${[...tablesWith('none'), ...MIGRATOR_TABLES].join(', ')} from ${APP_ROLE};`,
    )
    .execute(tx)
}

/**
 * Limits the time of the role's statements, lock waits and idle transactions in this database. If the operator created
 * the role, the portal may lack the permission to change the role. The role's sessions then have the limits of the
 * process.
 */
async function limitTime(tx: Tx, role: string): Promise<void> {
  const { rows } = await sql<{ who: string }>`
    select format('%I in database %I', ${role}::text, current_database()) as who`.execute(tx)
  const statements = Object.entries(timeoutSettings(ROLE_LIMITS)).map(
    ([setting, value]) => `alter role ${rows[0]!.who} set ${setting} = ${value};`,
  )
  await sql
    .raw(
      `do $$ begin ${statements.join(' ')} exception when insufficient_privilege or undefined_object then null; end $$`,
    )
    .execute(tx)
}

/** Grants inserts into the history tables column by column, without the generated columns. */
async function grantInserts(tx: Tx): Promise<void> {
  for (const [table, { generated = [] }] of accesses()) {
    if (generated.length === 0) continue
    const { rows } = await sql<{ columns: string }>`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname <> all (${generated}::text[])`.execute(tx)
    await sql
      .raw(`revoke insert on ${table} from ${APP_ROLE}; grant insert (${rows[0]!.columns}) on ${table} to ${APP_ROLE};`)
      .execute(tx)
  }
}

async function grantUpdates(tx: Tx): Promise<void> {
  for (const [table, { updates: columns }] of accesses()) {
    if (columns === undefined) continue
    await sql
      .raw(
        `revoke update on ${table} from ${APP_ROLE}; grant update (${columns.join(', ')}) on ${table} to ${APP_ROLE};`,
      )
      .execute(tx)
  }
}

async function allowLogin(tx: Tx, { role, password }: Login): Promise<void> {
  // Roles belong to the whole server, advisory locks to one database. The comment locks the role until the transaction
  // ends. Otherwise concurrent migrations of several databases fail with "tuple concurrently updated".
  await sql`comment on role ${sql.id(APP_ROLE)} is 'Login of the API and the worker'`.execute(tx)
  if (role !== APP_ROLE) {
    await sql`grant ${sql.id(APP_ROLE)} to ${sql.id(role)}`.execute(tx)
    return
  }
  const verifier = password === null ? sql`` : sql`password ${sql.lit(scramVerifier(password))}`
  await sql`alter role ${sql.id(APP_ROLE)} login ${verifier}`.execute(tx)
}

/**
 * Returns why the role could change history, through attributes or memberships, as the end of a sentence; null if the
 * role cannot change history.
 */
export async function historyRiskOf(db: Db, role: string): Promise<string | null> {
  const { rows } = await sql<{ there: boolean; superuser: boolean; owns: boolean; creates: boolean; runs: boolean }>`
    with may_be as (select m.* from pg_roles r join pg_roles m on pg_has_role(r.oid, m.oid, 'member')
      where r.rolname = ${role})
    select count(*) > 0 as there, coalesce(bool_or(rolsuper), false) as superuser,
      coalesce(bool_or(rolcreaterole), false) as creates,
      coalesce(bool_or(rolname in ('pg_execute_server_program', 'pg_write_server_files')), false) as runs,
      exists (select from pg_class join may_be on relowner = may_be.oid
        where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)) as owns
    from may_be`.execute(db)
  const found = rows[0]!
  if (!found.there) return 'does not exist'
  if (found.superuser) return 'is a superuser or can become one'
  if (found.owns) return 'owns tables of the portal or can become their owner'
  if (found.creates) return 'can create roles'
  return found.runs ? 'can run programs or write files as PostgreSQL' : null
}

export async function changeableHistory(db: Db, role: string): Promise<string[]> {
  const generated = JSON.stringify(
    accesses().flatMap(([table, { generated = [] }]) => generated.map((column) => ({ table, column }))),
  )
  const insertOnly = tablesWith('insert')
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...insertOnly, ...tablesWith('none'), ...MIGRATOR_TABLES]}::text[]) as name
    where exists (select from pg_roles r join pg_roles m on pg_has_role(r.oid, m.oid, 'member')
      where r.rolname = ${role} and (has_table_privilege(m.oid, name, 'update, delete, truncate, trigger')
        or has_any_column_privilege(m.oid, name, 'update')
        or (name <> all (${insertOnly}::text[]) and has_any_column_privilege(m.oid, name, 'insert'))
        or exists (select from json_to_recordset(${generated}::json) as g ("table" text, "column" text)
          where g."table" = name and has_column_privilege(m.oid, g."table", g."column", 'insert'))))`.execute(db)
  return rows.map(({ name }) => name)
}
