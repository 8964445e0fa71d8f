import type pg from 'pg'

/**
 * Fills a table without its indexes and has them made again as they were, at once for all rows. Row by row they
 * would take many times as long. One that another table's keys lead to stays.
 */
export async function withoutIndexes(db: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: constraints } = await db.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint c
     where conrelid = $1::regclass and contype in ('p', 'u', 'x')
       and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)`,
    [table],
  )
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of constraints) await db.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await db.query(`drop index ${name}`)
  await fill()
  for (const { definition } of indexes) await db.query(definition)
  for (const { name, definition } of constraints) {
    await db.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}
