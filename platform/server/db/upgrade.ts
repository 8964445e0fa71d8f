import { sql } from 'kysely'
import { appRoleIn } from './app-access.ts'
import type { Db, Tx } from './schema.ts'

/** An upgrade that was begun and neither finished nor taken back. */
export interface Upgrade {
  readonly from: string
  readonly to: string
  /**
   * `backup`: the tables are those of the old version. `migrated`: they are those of the new version, which is being
   * checked. `restoring`: the backup is being restored. `moved`: another database has the tables and rows, and may accept
   * changes: this one must not, unless the other was emptied.
   */
  readonly phase: 'backup' | 'migrated' | 'restoring' | 'moved'
  /** Verified backup of the old version; null until it is made. */
  readonly backup: { readonly name: string; readonly identity: string | null } | null
  /** Statements that grant each role what it could do before. */
  readonly grants: readonly string[]
  /** Version of the job queue's tables before the upgrade. */
  readonly queue: number
  /** The database is the old (`from`) or the new one (`to`) of a move; null: the upgrade is in place. */
  readonly move: {
    readonly role: 'from' | 'to'
    /** Address without its login. */
    readonly other: string
    /** Random value that both databases have. */
    readonly id: string
  } | null
}

/** The version that the database belongs to, and the upgrade in progress. */
export interface Installed {
  readonly version: string
  readonly upgrade: Upgrade | null
}

/** Returns null for a database without tables. */
export async function readInstalled(owner: Db): Promise<Installed | null> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('installation.installed') is not null as found`.execute(owner)
  if (!rows[0]!.found) return null
  const { rows: installed } = await sql<Installed>`select version, upgrade from installation.installed`.execute(owner)
  return installed[0] ?? null
}

/** Writes the row, which is in its own schema, so that backups do not contain it and restores do not replace it. */
export async function writeInstalled(tx: Db, { version, upgrade }: Installed): Promise<void> {
  await sql`create schema if not exists installation`.execute(tx)
  await sql`
    create table if not exists installation.installed (
      id boolean primary key default true check (id),
      version text not null,
      upgrade jsonb
    )`.execute(tx)
  await sql`
    insert into installation.installed (version, upgrade) values (${version}, ${upgrade && JSON.stringify(upgrade)}::jsonb)
    on conflict (id) do update set version = excluded.version, upgrade = excluded.upgrade`.execute(tx)
}

/**
 * Takes from API and worker, of every version, the privileges to change rows. They can still read. Their open
 * transactions can commit.
 */
export async function revokeWrites(tx: Tx): Promise<void> {
  const role = await appRoleIn(tx)
  await sql
    .raw(
      `revoke insert, update, delete, truncate on all tables in schema public, pgboss from ${role};
       revoke execute on all functions in schema public from ${role};`,
    )
    .execute(tx)
}

/**
 * Waits until the transactions that changed rows before `revokeWrites` have ended. One table at a time is locked, so that
 * no deadlock can occur; a transaction that reaches a table afterwards lacks the privilege.
 */
export async function awaitWrites(owner: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind = 'r'`.execute(owner)
  for (const { name } of rows) {
    await owner.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '90s'`.execute(tx)
      await sql`lock table ${sql.raw(name)} in share mode`.execute(tx)
    })
  }
}

/**
 * Returns what the schemas of the portal contain or are used for that a restore would not bring back: tables and views of
 * others, views of other schemas on the portal's tables, and extensions.
 * @param ours names of the tables and views of this and earlier versions
 */
export async function foreignObjects(owner: Db, ours: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relname = any(${ours}::text[])
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union
    select v.oid::regclass::text from pg_depend d
      join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
      join pg_class v on v.oid = w.ev_class join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid
    where t.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
      and v.relnamespace not in ('public'::regnamespace, 'pgboss'::regnamespace)
    union
    select 'extension ' || extname from pg_extension where extnamespace = 'public'::regnamespace
    order by 1`.execute(owner)
  return rows.map(({ name }) => name)
}

/** Returns statements that grant each role, apart from the owner, its present privileges. */
export async function presentGrants(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    with spaces as (select oid, nspname, nspacl, nspowner from pg_namespace where nspname in ('public', 'pgboss')),
      role as (select oid, quote_ident(rolname) as name from pg_roles union all select 0::oid, 'public')
    select format('grant %s on schema %I to %s', privilege_type, nspname, role.name) as statement
    from spaces, aclexplode(nspacl) join role on role.oid = grantee where grantee <> nspowner
    union all
    select format('grant %s on %s%s to %s', string_agg(privilege_type, ', '), case relkind when 'S' then 'sequence ' else '' end,
      format('%I.%I', nspname, relname), role.name)
    from pg_class c join spaces n on n.oid = relnamespace, aclexplode(relacl) join role on role.oid = grantee
    where grantee <> relowner group by nspname, relname, relkind, role.name
    union all
    select format('grant %s (%I) on %I.%I to %s', privilege_type, attname, nspname, relname, role.name)
    from pg_attribute join pg_class c on c.oid = attrelid join spaces n on n.oid = relnamespace, aclexplode(attacl)
      join role on role.oid = grantee
    where grantee <> relowner and not attisdropped
    union all
    select format('grant execute on function %s to %s', p.oid::regprocedure, role.name)
    from pg_proc p join spaces n on n.oid = pronamespace, aclexplode(proacl) join role on role.oid = grantee
    where grantee <> proowner`.execute(owner)
  return rows.map(({ statement }) => statement)
}

/** Executes the statements of `presentGrants`. The queue's partitions of past days, and roles, may be missing. */
export async function grantAgain(tx: Tx, grants: readonly string[]): Promise<void> {
  await sql`select set_config('trainyard.grants', ${JSON.stringify(grants)}, true)`.execute(tx)
  await sql`do $$ declare statement text; begin
    for statement in select jsonb_array_elements_text(current_setting('trainyard.grants')::jsonb) loop
      begin execute statement; exception when undefined_table or undefined_object then null; end;
    end loop; end $$`.execute(tx)
}

/** Returns the version of the job queue's tables. */
export async function queueVersion(owner: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version::int as version from pgboss.version`.execute(owner)
  return rows[0]!.version
}

/** Returns true if the portal's schemas have tables. */
export async function hasTables(owner: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'pgboss') and relkind in ('r', 'p')) as found`.execute(owner)
  return rows[0]!.found
}

/** Empties the database for a restore. */
export async function dropTables(owner: Db): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`drop schema if exists pgboss cascade`.execute(tx)
    await sql`drop schema public cascade`.execute(tx)
    await sql`create schema public`.execute(tx)
    await sql`grant usage on schema public to public`.execute(tx)
  })
}

/** Returns the versions of connected API and worker processes that differ from the given one. */
export async function otherVersions(owner: Db, own: string): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select distinct substr(application_name, 11) as version from pg_stat_activity
    where datname = current_database() and application_name ~ '^trainyard \\d' and application_name <> ${`trainyard ${own}`}`.execute(
    owner,
  )
  return rows.map(({ version }) => version)
}
