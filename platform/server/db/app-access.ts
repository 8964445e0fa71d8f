import { sql } from 'kysely'
import pg from 'pg'
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
    await grantAccess(tx, app)
    await last(tx)
  })
}

export async function grantAccess(tx: Tx, app: Login): Promise<void> {
  const role = await appRoleIn(tx)
  await createRole(tx, role)
  const refuse = (power: string | null) => {
    if (power === null) return
    throw new ConfigError(
      `The role ${app.role}, which API and worker log in as, ${power}. Name another in DATABASE_APP_URL.`,
    )
  }
  refuse(await historyRiskOf(tx, app.role))
  await grantPrivileges(tx, role)
  await grantInserts(tx, role)
  await grantUpdates(tx, role)
  await allowLogin(tx, role, app)
  await limitTime(tx, app.role)
  const history = await changeableHistory(tx, app.role)
  refuse(
    history.length === 0
      ? null
      : `can change rows of ${history.join(', ')}, by its own privileges or those of a role it belongs to`,
  )
}

/** Returns the quoted name of the app's role. */
export async function appRoleIn(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(${sql.raw(APP_ROLE)}) as name`.execute(db)
  return rows[0]!.name
}

/** Marks the roles that a portal made. */
const ROLE_COMMENT = 'Login of the API and the worker'

/** @throws ConfigError if the role is missing and the owner may not create it */
async function createRole(tx: Tx, role: string): Promise<void> {
  const { rows } = await sql<{ isMade: boolean; creates: boolean; owner: string }>`
    select exists (select from pg_roles where rolname = ${sql.raw(APP_ROLE)}) as "isMade",
      rolcreaterole or rolsuper as creates, quote_ident(rolname) as owner
    from pg_roles where rolname = current_user`.execute(tx)
  const { isMade, creates, owner } = rows[0]!
  if (isMade) return requireOwnMembers(tx, role)
  if (!creates)
    throw new ConfigError(
      `The owner ${owner} may not create the role ${role} of API and worker. As a superuser: alter role ${owner} createrole`,
    )
  await sql
    .raw(
      `do $$ begin create role ${role} login; comment on role ${role} is '${ROLE_COMMENT}';
       exception when duplicate_object or unique_violation then null; end $$`,
    )
    .execute(tx)
}

/**
 * Refuses a role that another owner has created: its members would read the tables of this portal.
 * @throws ConfigError
 */
async function requireOwnMembers(tx: Tx, role: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(m.rolname) as name from pg_auth_members a join pg_roles m on m.oid = a.member
    where a.roleid = (select oid from pg_roles where rolname = ${sql.raw(APP_ROLE)})
      and m.rolname <> current_user and a.grantor <> current_user::regrole and not m.rolsuper
    order by 1`.execute(tx)
  if (rows.length === 0) return
  const others = rows.map(({ name }) => name).join(', ')
  throw new ConfigError(
    `Members of the role ${role} of API and worker could read this portal: ${others}. As a superuser: revoke ${role} from ${others}`,
  )
}

async function grantPrivileges(tx: Tx, role: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(tx)
  await sql
    .raw(
      `grant connect on database ${rows[0]!.name} to ${role};
       -- Without this, functions of the owner could use a temporary table with the same name instead of the portal's
       -- table.
       revoke temporary on database ${rows[0]!.name} from public, ${role};
       revoke create on schema public from public, ${role};
       grant usage on schema public, pgboss to ${role};
       grant select, insert, update, delete on all tables in schema public, pgboss to ${role};
       grant usage on all sequences in schema public, pgboss to ${role};
       grant execute on all functions in schema pgboss to ${role};
       grant execute on function ${appFunctions().join(', ')} to ${role};
       revoke update, delete, truncate on ${tablesWith('insert').join(', ')} from ${role};
       revoke insert, update, delete, truncate on ${[...tablesWith('none'), ...MIGRATOR_TABLES].join(', ')} from ${role};`,
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
  const settings = Object.entries(timeoutSettings(ROLE_LIMITS))
  await ifPermitted(tx, settings.map(([name, value]) => `alter role ${rows[0]!.who} set ${name} = ${value}`).join('; '))
}

/** Grants inserts into the history tables column by column, without the generated columns. */
async function grantInserts(tx: Tx, role: string): Promise<void> {
  for (const [table, { generated = [] }] of accesses()) {
    if (generated.length === 0) continue
    const { rows } = await sql<{ columns: string }>`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname <> all (${generated}::text[])`.execute(tx)
    await sql
      .raw(`revoke insert on ${table} from ${role}; grant insert (${rows[0]!.columns}) on ${table} to ${role};`)
      .execute(tx)
  }
}

async function grantUpdates(tx: Tx, role: string): Promise<void> {
  for (const [table, { updates: columns }] of accesses()) {
    if (columns === undefined) continue
    await sql
      .raw(`revoke update on ${table} from ${role}; grant update (${columns.join(', ')}) on ${table} to ${role};`)
      .execute(tx)
  }
}

/**
 * Lets the app log in. Does not change the password of a role with which other databases are used, except to the one that
 * all portals of the owner derive.
 */
async function allowLogin(tx: Tx, appRole: string, { role, password, isDerived = false }: Login): Promise<void> {
  const { rows } = await sql<{ isLogin: boolean; isOurs: boolean; isShared: boolean }>`
    select rolname = ${role} as "isLogin", shobj_description(oid, 'pg_authid') is not distinct from ${ROLE_COMMENT} as "isOurs",
      exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = r.oid
        and dbid not in (0, (select oid from pg_database where datname = current_database()))) as "isShared"
    from pg_roles r where rolname = ${sql.raw(APP_ROLE)}`.execute(tx)
  const { isLogin, isOurs, isShared } = rows[0]!
  // Roles belong to the whole server, advisory locks to one database. The comment locks the role until the transaction
  // ends. Otherwise concurrent migrations of several databases fail with "tuple concurrently updated".
  if (isOurs) await ifPermitted(tx, `comment on role ${appRole} is '${ROLE_COMMENT}'`)
  if (!isLogin) {
    await sql.raw(`grant ${appRole} to ${pg.escapeIdentifier(role)}`).execute(tx)
    return
  }
  if (isShared && !(isOurs && isDerived)) return
  const verifier = password === null ? '' : `password ${pg.escapeLiteral(scramVerifier(password))}`
  await ifPermitted(tx, `alter role ${appRole} login ${verifier}`)
}

/** Executes a statement, unless the role is one that the operator created. */
async function ifPermitted(tx: Tx, statement: string): Promise<void> {
  await sql
    .raw(`do $$ begin ${statement}; exception when insufficient_privilege or undefined_object then null; end $$`)
    .execute(tx)
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
