import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Part, TableHead } from './format.ts'
import { rowsIn } from './format.ts'
import { NoBackup } from './no-backup.ts'

/** Tables that every migration writes itself: the digests of the tables, and the version of the job queue. */
const WRITTEN_BY_MIGRATION = `('public.applied_area'::regclass, 'pgboss.version'::regclass)`

/**
 * The logged tables, with the columns that are not generated. Statistics of the job queue are in a table per day, which
 * another database does not have.
 */
const TABLES = `
  select n.nspname as schema, c.relname as name, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as quoted,
    (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'pgboss') and c.relkind = 'r' and c.relpersistence = 'p'
    and c.oid not in ${WRITTEN_BY_MIGRATION}
    and not exists (select from pg_inherits i
      where i.inhrelid = c.oid and i.inhparent = to_regclass('pgboss.queue_stats'))
  order by 1, 2`

interface FoundTable extends TableHead {
  readonly quoted: string
}

async function tablesOf(client: pg.ClientBase): Promise<readonly FoundTable[]> {
  return (await client.query<FoundTable>(TABLES)).rows
}

/** Locale and limits that make the text of the data the same on every server. */
const SESSION = `
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local client_encoding = 'UTF8'`

/** Bytes of the parts into which the data of a table is divided. */
const PART_BYTES = 1 << 18

/**
 * Reads all tables in one snapshot.
 * @returns the time before which every acknowledged change is in the snapshot, the digest of each file that made the
 * tables, and the parts
 */
export async function readTables(
  client: pg.Client,
): Promise<{ until: Date; tables: Record<string, string>; parts: AsyncGenerator<Part> }> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(SESSION)
  // The transaction starts before its first query takes the snapshot.
  const { rows } = await client.query<{ until: Date }>('select transaction_timestamp() as until from pg_class limit 1')
  const { rows: steps } = await client.query<{ name: string; digest: string }>('select name, digest from applied_area')
  const tables = Object.fromEntries(steps.map(({ name, digest }) => [name, digest]))
  return { until: rows[0]!.until, tables, parts: partsOf(client) }
}

async function* partsOf(client: pg.Client): AsyncGenerator<Part> {
  let rows = 0
  for (const { schema, name, columns, quoted } of await tablesOf(client)) {
    yield { kind: 'table', table: { schema, name, columns } }
    for await (const data of inParts(client.query(copyTo(`copy ${quoted} (${columns.join(', ')}) to stdout`)))) {
      rows += rowsIn(data)
      yield { kind: 'data', data }
    }
  }
  // Sequences have no snapshot. Read last, they are not behind the rows.
  const { rows: sequences } = await client.query<{ name: string; last: string }>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as last
    from pg_sequences where schemaname in ('public', 'pgboss') and last_value is not null`)
  yield { kind: 'end', end: { rows, sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])) } }
  await client.query('commit')
}

async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}

/**
 * Replaces the content of all tables in one transaction. The tables must exist. Foreign keys are checked at the end;
 * triggers do not run, because the rows have been through them.
 * @throws NoBackup if the parts are of other tables
 */
export async function writeTables(client: pg.ClientBase, parts: AsyncIterable<Part>): Promise<void> {
  await client.query('begin')
  await client.query(SESSION)
  const tables = await tablesOf(client)
  const all = tables.map(({ quoted }) => quoted).join(', ')
  // The lock keeps out processes that were started too early.
  await client.query(`lock table ${all} in access exclusive mode`)
  const { rows: keys } = await client.query<{ on: string; name: string; definition: string }>(`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0
      and connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`)
  for (const { on, name } of keys) await client.query(`alter table ${on} drop constraint ${name}`)
  await client.query(`truncate ${all}`)
  for (const { quoted } of tables) await client.query(`alter table ${quoted} disable trigger user`)
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]))
  const reader = parts[Symbol.asyncIterator]()
  let next = await reader.next()
  while (next.done !== true) {
    const part = next.value
    if (part.kind === 'table') {
      const table = byName.get(`${part.table.schema}.${part.table.name}`)
      if (table === undefined || part.table.columns.some((column) => !table.columns.includes(column))) {
        throw new NoBackup(
          `The backup has other columns of ${part.table.schema}.${part.table.name} than this version. Restore it with the version that made it.`,
        )
      }
      next = await reader.next()
      const into = client.query(copyFrom(`copy ${table.quoted} (${part.table.columns.join(', ')}) from stdin`))
      await pipeline(
        Readable.from(
          (async function* () {
            for (; next.done !== true && next.value.kind === 'data'; next = await reader.next()) yield next.value.data
          })(),
        ),
        into,
      )
      continue
    }
    if (part.kind === 'end') {
      for (const [name, last] of Object.entries(part.end.sequences)) {
        await client.query('select setval($1::regclass, $2)', [name, last])
      }
    }
    next = await reader.next()
  }
  for (const { quoted } of tables) await client.query(`alter table ${quoted} enable trigger user`)
  for (const { on, name, definition } of keys) {
    await client.query(`alter table ${on} add constraint ${name} ${definition}`)
  }
  await client.query('commit')
  // The data is whole without it.
  await client.query('set statement_timeout = 0; analyze').catch(() => undefined)
}
