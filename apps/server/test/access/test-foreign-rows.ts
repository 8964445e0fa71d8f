import { sql } from 'kysely'
import { MARKER } from '@trainyard/platform/test/world.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

interface StoredRow {
  readonly table: string
  readonly row: string
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Cache of the ids in a row. Most rows are the same for every call. */
const idsIn = new Map<string, readonly string[]>()
function idsOf(row: string): readonly string[] {
  let ids = idsIn.get(row)
  if (ids === undefined) idsIn.set(row, (ids = row.match(UUID) ?? []))
  return ids
}

/**
 * Returns every row of the foreign organisation as text: rows with its marker, and rows that refer to these by id,
 * directly or indirectly. Audit rows of refused calls are left out, because they quote the request.
 */
export async function foreignRows(db: Db): Promise<string[]> {
  const remaining = new Set(await everyRow(db))
  const ids = new Set<string>()
  const foreign: string[] = []
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false
    for (const each of remaining) {
      if (!each.row.includes(MARKER) && !idsOf(each.row).some((id) => ids.has(id))) continue
      const own = (JSON.parse(each.row) as { id?: unknown }).id
      if (typeof own === 'string') ids.add(own)
      foreign.push(`${each.table} ${each.row}`)
      remaining.delete(each)
      hasGrown = true
    }
  }
  return foreign.toSorted()
}

async function everyRow(db: Db): Promise<StoredRow[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as table, to_jsonb(t)::text as row from ${name} t${name === 'audit' ? ' where refused is null' : ''}`,
  )
  return (await sql.raw<StoredRow>(each.join(' union all ')).execute(db)).rows
}
