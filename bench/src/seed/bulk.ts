import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** Fills an empty table. Drops the indexes before and recreates them after, which is many times faster. */
export async function withoutIndexes(db: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: keys } = await db.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and confrelid = $1::regclass`,
    [table],
  )
  const { rows: constraints } = await db.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u', 'x')`,
    [table],
  )
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  await db.query('begin')
  for (const { owner, name } of keys) await db.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of constraints) await db.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await db.query(`drop index ${name}`)
  // A table that is truncated in the same transaction is filled without WAL, and its rows can be frozen at once.
  await db.query(`truncate ${table}`)
  await fill()
  for (const { definition } of indexes) await db.query(definition)
  for (const { name, definition } of constraints) {
    await db.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
  for (const { owner, name, definition } of keys) {
    await db.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
  await db.query('commit')
}

export async function copyInto(db: pg.Client, table: string, columns: string, query: string): Promise<void> {
  const { rows } = await db.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const file = join(rows[0]!.folder, `${table}.copy`)
  await db.query(`copy (${query}) to '${file}' with (format binary)`)
  await db.query(`copy ${table} (${columns}) from '${file}' with (format binary, freeze)`)
  await rm(file)
}
