import { sql } from 'kysely'
import { ConfigError } from '../core/errors.ts'
import { APP_ROLE, type Login, scramVerifier } from './roles.ts'
import type { Db, Tx } from './schema.ts'

/** The app's role cannot update or delete these. */
const INSERT_ONLY = [
  'audit',
  'audit_seal',
  'audit_head',
  'ledger_entry',
  'sandbox_charge',
  'charged_line',
  'tax_document',
  'tax_document_registration',
]
/** Written only by triggers or the database's owner. */
const READ_ONLY = ['audit_archive', 'ledger_balance', 'counter', 'counter_change', 'document_series']
const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** @throws ConfigError if the app's role could still change history */
export async function grantAppAccess(owner: Db, app: Login): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    // Roles belong to the whole server, so migrations of several databases must not change them concurrently.
    await sql`select pg_advisory_xact_lock(hashtext('trainyard grants'))`.execute(tx)
    await grantPrivileges(tx)
    await allowLogin(tx, app)
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
  })
}

async function grantPrivileges(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(tx)
  await sql
    .raw(
      `do $$ begin create role ${APP_ROLE} login; exception when duplicate_object or unique_violation then null; end $$;
       grant connect on database ${rows[0]!.name} to ${APP_ROLE};
       -- Functions of the owner could find a temporary table instead of ours.
       revoke temporary on database ${rows[0]!.name} from public, ${APP_ROLE};
       revoke create on schema public from public, ${APP_ROLE};
       grant usage on schema public, pgboss to ${APP_ROLE};
       grant select, insert, update, delete on all tables in schema public, pgboss to ${APP_ROLE};
       grant usage on all sequences in schema public, pgboss to ${APP_ROLE};
       grant execute on all functions in schema pgboss to ${APP_ROLE};
       revoke update, delete, truncate on ${INSERT_ONLY.join(', ')} from ${APP_ROLE};
       revoke insert, update, delete, truncate on ${READ_ONLY.join(', ')} from ${APP_ROLE};
       revoke insert, update, delete, truncate on ${MIGRATOR_TABLES.join(', ')} from ${APP_ROLE};`,
    )
    .execute(tx)
}

async function allowLogin(tx: Tx, { role, password }: Login): Promise<void> {
  if (role !== APP_ROLE) {
    await sql`grant ${sql.id(APP_ROLE)} to ${sql.id(role)}`.execute(tx)
    return
  }
  const verifier = password === null ? sql`` : sql`password ${sql.lit(scramVerifier(password))}`
  await sql`alter role ${sql.id(APP_ROLE)} login ${verifier}`.execute(tx)
}

/** Through attributes or memberships, as the end of a sentence; null if it cannot. */
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
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...INSERT_ONLY, ...READ_ONLY, ...MIGRATOR_TABLES]}::text[]) as name
    where exists (select from pg_roles r join pg_roles m on pg_has_role(r.oid, m.oid, 'member')
      where r.rolname = ${role} and (has_table_privilege(m.oid, name, 'update, delete, truncate, trigger')
        or has_any_column_privilege(m.oid, name, 'update')
        or (name <> all (${INSERT_ONLY}::text[]) and has_any_column_privilege(m.oid, name, 'insert'))))`.execute(db)
  return rows.map(({ name }) => name)
}
