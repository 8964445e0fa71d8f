import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { ScimContext } from './context.ts'
import {
  type ConditionOf,
  elementsRead,
  type Filter,
  type Json,
  matches,
  indexCondition,
  type Spend,
} from './filter.ts'
import { listResponse, type ListRequest, needs, project } from './list.ts'
import { badRequest } from './scim-error.ts'

interface DirectoryRow {
  readonly id: string
  /** `created_at` with microseconds, which a Date does not have. */
  readonly created_text: string
}

/**
 * Definition of how resources of a type are read. The table has the alias `u` and the columns organisation_id and
 * created_at.
 */
interface ResourceSource<Row, Related> {
  readonly table: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
  /** Returns an indexed SQL condition for an attribute that equals a value. */
  readonly conditionOf: ConditionOf
  /** Attribute with references to resources of the other type, which are read only if they are needed. */
  readonly related: 'groups' | 'members'
  /** Returns the SQL condition of the rows `m` of scim_group_member that belong to a resource. */
  relationOf(id: RawBuilder<unknown>): RawBuilder<unknown>
  /** @param values values of the references to return; null returns all references */
  relatedOf(rows: readonly Row[], values: readonly string[] | null): Promise<ReadonlyMap<string, readonly Related[]>>
  resource(row: Row, related: readonly Related[]): Json
}

/** Number of rows that one query reads while a filter is evaluated. */
const BATCH = 200
/** Maximum number of members, or of memberships, in one page. A single resource can have as many. */
const RELATED_MAX = 20_000
/** Maximum work of a filter. One unit is one comparison. */
const WORK_MAX = 4_000_000
const WORK_PER_ROW = 10
const WORK_PER_RELATED = 20
/** Work after which other requests run, about 10 ms. */
const WORK_SLICE = 50_000
/** Maximum duration of the evaluation of a filter, in milliseconds. */
const FILTER_TIME_MAX = 20_000

/**
 * Returns a page of the organisation's resources of one type as a ListResponse. The page ends before the requested
 * count if its resources have too many members (RFC 7644, section 3.4.2.4, allows fewer results).
 */
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
    const where = sql`${own} and ${indexCondition(filter, source.conditionOf) ?? sql`true`}`
    for await (const row of matchesOf(db, filter, where, source)) {
      if (total >= offset && page.length < count) page.push(row)
      total += 1
    }
  }
  const hasRelated = needs(projection, related)
  const rows = hasRelated ? page.slice(0, await fittingRows(db, page, source)) : page
  const relatedOf = hasRelated ? await source.relatedOf(rows, null) : NONE
  return listResponse(
    total,
    offset + 1,
    rows.map((row) => project(source.resource(row, relatedOf.get(row.id) ?? []), projection)),
  )
}

const NONE: ReadonlyMap<string, never[]> = new Map()

/** Yields the rows that match a filter. @throws ScimError tooMany if the filter is too costly */
async function* matchesOf<Row extends DirectoryRow, Related>(
  db: Db,
  filter: Filter,
  where: RawBuilder<unknown>,
  source: ResourceSource<Row, Related>,
): AsyncGenerator<Row> {
  const deadline = performance.now() + FILTER_TIME_MAX
  let work = 0
  const spend: Spend = (units) => {
    work += units
    if (work > WORK_MAX) throw tooCostly()
  }
  const values = elementsRead(filter, source.related)
  let slice = 0
  for await (const batch of batches<Row>(db, source.table, source.columns, where)) {
    if (performance.now() > deadline) throw tooCostly()
    let rest: readonly Row[] = batch
    while (rest.length > 0) {
      const rows: readonly Row[] = values === null ? rest.slice(0, await fittingRows(db, rest, source)) : rest
      rest = rest.slice(rows.length)
      const relatedOf = values?.length === 0 ? NONE : await source.relatedOf(rows, values)
      for (const row of rows) {
        const own = relatedOf.get(row.id) ?? []
        spend(WORK_PER_ROW + WORK_PER_RELATED * own.length)
        if (matches(filter, source.resource(row, own), spend)) yield row
        if (work - slice < WORK_SLICE) continue
        slice = work
        await setImmediate()
      }
    }
  }
}

const tooCostly = () =>
  badRequest('tooMany', 'The filter reads too much. Compare userName, displayName, externalId or id with eq.')

/** Returns how many of the rows, at least one, together have at most RELATED_MAX references. */
async function fittingRows<Row extends DirectoryRow, Related>(
  db: Db,
  rows: readonly Row[],
  { relationOf }: ResourceSource<Row, Related>,
): Promise<number> {
  if (rows.length === 0) return 0
  // The recursion stops at the limit, because it reads more references of a resource than fit on the page.
  const ids = rows.map(({ id }) => id)
  const { rows: counted } = await sql<{ fitting: number }>`
    with recursive counted (position, total) as (
      select 0, 0::bigint
      union all
      select position + 1, total + (
        select count(*) from scim_group_member m where ${relationOf(sql`(${ids}::uuid[])[position + 1]`)})
      from counted where position < ${rows.length} and total <= ${RELATED_MAX})
    select count(*)::int as fitting from counted where position > 0 and total <= ${RELATED_MAX}`.execute(db)
  return Math.max(1, counted[0]!.fitting)
}

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
