import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { ScimContext } from './context.ts'
import { type Json, matches, reads, requiredValues } from './filter.ts'
import { listResponse, type ListRequest, needs, project } from './list.ts'

interface DirectoryRow {
  readonly id: string
  /** `created_at` with microseconds, which a Date does not have. */
  readonly created_text: string
}

/** How resources of one type are read. The table has the alias `u` and the columns organisation_id and created_at. */
interface ResourceSource<Row, Related> {
  readonly table: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
  /** Returns an indexed SQL condition that every match satisfies. */
  narrow(values: ReturnType<typeof requiredValues>): RawBuilder<unknown>
  /** Attribute with references to resources of the other type, which are read only if they are needed. */
  readonly related: 'groups' | 'members'
  relatedOf(rows: readonly Row[]): Promise<ReadonlyMap<string, readonly Related[]>>
  resource(row: Row, related: readonly Related[]): Json
}

/** Returns a page of the organisation's resources of one type as a ListResponse. */
export async function listPage<Row extends DirectoryRow, Related>(
  db: Db,
  { organisation }: ScimContext,
  { filter, offset, count, projection }: ListRequest,
  source: ResourceSource<Row, Related>,
): Promise<Json> {
  const { table, columns, related } = source
  const own = sql`u.organisation_id = ${organisation.id}`
  const page: Row[] = []
  let total = 0
  if (filter === null) {
    const counted = await sql<{ total: number }>`select count(*)::int as total from ${table} where ${own}`.execute(db)
    total = counted.rows[0]!.total
    const found = await sql<Row>`
      select ${columns} from ${table} where ${own} order by u.created_at, u.id limit ${count} offset ${offset}`.execute(
      db,
    )
    page.push(...found.rows)
  } else {
    const narrowed = sql`${own} and ${source.narrow(requiredValues(filter))}`
    const readsRelated = reads(filter, related)
    for await (const rows of batches<Row>(db, table, columns, narrowed)) {
      const relatedOf = readsRelated ? await source.relatedOf(rows) : NONE
      for (const row of rows) {
        if (!matches(filter, source.resource(row, relatedOf.get(row.id) ?? []))) continue
        if (total >= offset && page.length < count) page.push(row)
        total += 1
      }
    }
  }
  const relatedOf = needs(projection, related) ? await source.relatedOf(page) : NONE
  return listResponse(
    total,
    offset + 1,
    page.map((row) => project(source.resource(row, relatedOf.get(row.id) ?? []), projection)),
  )
}

const NONE: ReadonlyMap<string, never[]> = new Map()

/** Number of rows that one query reads while a filter is evaluated. */
const BATCH = 1_000

/** Reads rows in batches, in the order of their creation, so that pages do not move while resources are added. */
async function* batches<Row extends { readonly id: string; readonly created_text: string }>(
  db: Db,
  table: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined
  for (;;) {
    const rest: RawBuilder<unknown> =
      after === undefined
        ? sql`true`
        : sql`(u.created_at, u.id) > (${after.created_text}::timestamptz, ${after.id}::uuid)`
    const { rows } = await sql<Row>`
      select ${columns} from ${table} where ${where} and ${rest} order by u.created_at, u.id limit ${BATCH}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)
  }
}
