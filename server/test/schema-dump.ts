import { sql } from 'kysely'
import type { Db } from '../src/db/schema.ts'

/**
 * Queries for one line of text per fact of the schemas `public` and `pgboss`. pg_dump cannot be used, because the
 * embedded PostgreSQL does not contain it. `ours` holds the ids of both schemas.
 */
const FACTS = [
  `select format('database acl %s', (select string_agg(acl::text, ' ' order by acl::text) from unnest(datacl) acl))
     from pg_database where datname = current_database()`,
  `select format('setting %s %s', setrole::regrole, setconfig) from pg_db_role_setting
     where setdatabase = (select oid from pg_database where datname = current_database())`,
  `select format('default acl %s %s %s', defaclrole::regrole, defaclobjtype, defaclacl) from pg_default_acl`,
  `select format('extension %s %s', extname, extversion) from pg_extension`,
  `select format('publication %s %s', pubname, puballtables) from pg_publication`,
  `select format('event trigger %s %s', evtname, evtevent) from pg_event_trigger`,
  `select format('schema %s owner %s acl %s', nspname, nspowner::regrole, nspacl) from pg_namespace where oid = any (ours)`,
  // Array types and row types follow from their elements and tables.
  `select format('type %s %s owner %s acl %s base %s not null %s default %s labels %s', oid::regtype, typtype,
      typowner::regrole, typacl, format_type(typbasetype, typtypmod), typnotnull, typdefault,
      (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
     from pg_type t where typnamespace = any (ours) and typtype <> 'c' and typelem = 0`,
  `select format('relation %s %s persistence %s owner %s acl %s options %s row security %s %s replica identity %s
      method %s partitioned by %s partition %s of %s view %s', c.oid::regclass, relkind, relpersistence,
      relowner::regrole, (select string_agg(acl::text, ' ' order by acl::text) from unnest(relacl) acl), reloptions,
      relrowsecurity, relforcerowsecurity, relreplident, amname,
      case when relkind = 'p' then pg_get_partkeydef(c.oid) end, pg_get_expr(relpartbound, c.oid),
      (select inhparent::regclass from pg_inherits where inhrelid = c.oid),
      case when relkind in ('v', 'm') then pg_get_viewdef(c.oid, true) end)
     from pg_class c left join pg_am on pg_am.oid = relam where relnamespace = any (ours) and relkind not in ('i', 'I')`,
  // The position counts only existing columns, because a dropped column leaves a gap.
  `select format('column %s %s %s %s not null %s default %s identity %s generated %s collation %s storage %s
      compression %s statistics %s options %s acl %s', c.oid::regclass,
      row_number() over (partition by c.oid order by attnum), attname, format_type(atttypid, atttypmod), attnotnull,
      pg_get_expr(adbin, adrelid), attidentity, attgenerated, attcollation, attstorage, attcompression, attstattarget,
      attoptions, attacl)
     from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef on adrelid = c.oid and adnum = attnum
     where relnamespace = any (ours) and attnum > 0 and not attisdropped and relkind not in ('i', 'I')`,
  `select format('constraint %s %s on %s %s validated %s', conname, pg_get_constraintdef(oid),
      nullif(conrelid, 0)::regclass, nullif(contypid, 0)::regtype, convalidated)
     from pg_constraint where connamespace = any (ours)`,
  `select format('index %s valid %s clustered %s replica identity %s', pg_get_indexdef(indexrelid), indisvalid,
      indisclustered, indisreplident)
     from pg_index join pg_class c on c.oid = indexrelid where relnamespace = any (ours)`,
  `select format('sequence %s %s start %s by %s from %s to %s cache %s cycle %s owned by %s.%s', seqrelid::regclass,
      seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle, refobjid::regclass,
      (select attname from pg_attribute where attrelid = refobjid and attnum = refobjsubid))
     from pg_sequence join pg_class c on c.oid = seqrelid
     left join pg_depend on classid = 'pg_class'::regclass and objid = seqrelid and deptype in ('a', 'i')
     where relnamespace = any (ours)`,
  `select format('function %s owner %s acl %s', case prokind when 'a' then oid::regprocedure::text
      else pg_get_functiondef(oid) end, proowner::regrole, proacl)
     from pg_proc where pronamespace = any (ours)`,
  `select format('trigger %s enabled %s', pg_get_triggerdef(t.oid), tgenabled)
     from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and relnamespace = any (ours)`,
  `select format('rule %s', pg_get_ruledef(r.oid)) from pg_rewrite r join pg_class c on c.oid = ev_class
     where relnamespace = any (ours) and rulename <> '_RETURN'`,
  `select format('policy %s', (p.*)::text) from pg_policies p where schemaname in ('public', 'pgboss')`,
  `select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext where stxnamespace = any (ours)`,
  `select format('comment %s %s: %s', pg_describe_object(classoid, objoid, objsubid), objsubid, description)
     from pg_description d where (pg_identify_object(classoid, objoid, objsubid)).schema in ('public', 'pgboss')`,
]

/**
 * Returns the schema and all rows of the portal's tables as sorted lines. Timestamps are replaced by the word
 * "instant". Databases with equal lines are equal except for their timestamps.
 */
export async function dumpOf(owner: Db): Promise<string[]> {
  const lines: string[] = []
  for (const query of FACTS) {
    const { rows } = await sql<{ fact: string }>`
      with schemas as (select array_agg(oid) as ours from pg_namespace where nspname in ('public', 'pgboss'))
      select fact from schemas, lateral (${sql.raw(query)}) facts (fact)`.execute(owner)
    lines.push(...rows.map(({ fact }) => fact))
  }
  return [...lines, ...(await rowsOf(owner))].toSorted()
}

async function rowsOf(owner: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ table: string; instants: string[] }>`
    select c.oid::regclass::text as "table", array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and (atttypid = 'timestamptz'::regtype or attname = 'timestamp')) as instants
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    owner,
  )
  const lines: string[] = []
  for (const { table, instants } of tables) {
    const { rows } = await sql<{
      row: Record<string, unknown>
    }>`select to_jsonb(t) as row from ${sql.raw(table)} t`.execute(owner)
    for (const { row } of rows) {
      for (const name of instants) row[name] &&= 'instant'
      lines.push(`row of ${table} ${JSON.stringify(row)}`)
    }
  }
  return lines
}
