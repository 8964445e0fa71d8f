import { type RawBuilder, sql } from 'kysely'
import type { AuditRow as ShownRow } from '../contract/audit.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { RowFilter } from './filter.ts'

export interface FoundRow {
  readonly row: ShownRow
  readonly cursor: string
}

/** Number of recent rows that are searched for words before the full-text index is used. */
const RECENT_ROWS = 2_000

/**
 * Returns rows of the audit. Searches recent rows first, because PostgreSQL would scan the whole table for two frequent
 * words that never occur together.
 */
export async function auditRows(
  db: Db,
  { where, words }: RowFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<FoundRow[]> {
  const earlier = before === undefined ? sql<boolean>`true` : sql<boolean>`(a.at, a.id) < ${cursorValues(before)}`
  const newest = sql`order by a.at desc, a.id desc limit`
  const condition = sql`${where} and ${earlier}`
  if (words === null) return findRows(db, sql`select a.id from audit a where ${condition} ${newest} ${limit}`)
  const nearRows = await findRows(
    db,
    sql`select a.id from (select * from audit a where ${condition} ${newest} ${RECENT_ROWS}) a
      where ${words} ${newest} ${limit}`,
  )
  if (nearRows.length === limit) return nearRows
  return findRows(
    db,
    sql`with a as materialized (select a.id, a.at from audit a where ${condition} and ${words})
      select a.id from a ${newest} ${limit}`,
  )
}

async function findRows(db: Db, ids: RawBuilder<unknown>): Promise<FoundRow[]> {
  const { rows } = await sql<Omit<ShownRow, 'at'> & { at: Date; cursor: string }>`
    select a.id, a.at, a.call, a.actor_email as person, a.actor_role as role, o.name as organization, a.address,
      a.refused, a.detail, a.before, a.after, s.position,
      to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '.' || a.id as cursor
    from audit a
    left join organisation o on o.id = a.organisation_id
    left join audit_seal s on s.audit_id = a.id
    where a.id = any(array(${ids}))
    order by a.at desc, a.id desc`.execute(db)
  return rows.map(({ cursor, at, ...row }) => ({ cursor, row: { ...row, at: at.toISOString() } }))
}

const cursorValues = (cursor: string) => sql`(${cursor.slice(0, 27)}::timestamptz, ${cursor.slice(28)}::bigint)`

/** Hides the details of rejected calls from admins, because the details may name data of another organisation. */
export const redactFor = <Row extends { readonly refused: string | null; readonly detail?: unknown }>(
  { role }: Actor,
  row: Row,
): Row => (role === 'superadmin' || row.refused === null ? row : { ...row, detail: null })
