import { type RawBuilder, sql } from 'kysely'
import type { AuditRow } from '@trainyard/contract/calls/audit.ts'
import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../db/schema.ts'
import type { RowsAsked } from './filter.ts'

/** Row with its cursor, which has microsecond precision. */
export interface Found {
  readonly row: AuditRow
  readonly mark: string
}

/** Number of recent rows searched for words before the full-text index is used. */
const LOOKED_THROUGH = 2_000

/**
 * Returns the newest matching rows, or those before a cursor.
 *
 * Frequent words are found among the recent rows. For rarer words the full-text index returns all matching rows.
 * Without this split, PostgreSQL assumes that words are independent, and scans the whole table for two words that never
 * occur together.
 */
export async function auditRows(
  db: Db,
  { among, words }: RowsAsked,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<Found[]> {
  const earlier = before === undefined ? sql<boolean>`true` : sql<boolean>`(a.at, a.id) < ${placeOf(before)}`
  const newest = sql`order by a.at desc, a.id desc limit`
  const of = sql`${among} and ${earlier}`
  if (words === null) return found(db, sql`select a.id from audit a where ${of} ${newest} ${limit}`)
  const near = await found(
    db,
    sql`select a.id from (select * from audit a where ${of} ${newest} ${LOOKED_THROUGH}) a
      where ${words} ${newest} ${limit}`,
  )
  if (near.length === limit) return near
  return found(
    db,
    sql`with a as materialized (select a.id, a.at from audit a where ${of} and ${words})
      select a.id from a ${newest} ${limit}`,
  )
}

/** Returns rows by their IDs, newest first. */
async function found(db: Db, ids: RawBuilder<unknown>): Promise<Found[]> {
  const { rows } = await sql<Omit<AuditRow, 'at'> & { at: Date; mark: string }>`
    select a.id, a.at, a.call, a.actor_email as person, a.actor_role as role, o.name as organization, a.address,
      a.refused, a.detail, a.before, a.after, s.position,
      to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '.' || a.id as mark
    from audit a
    left join organisation o on o.id = a.organisation_id
    left join audit_seal s on s.audit_id = a.id
    where a.id = any(array(${ids}))
    order by a.at desc, a.id desc`.execute(db)
  return rows.map(({ mark, at, ...row }) => ({ mark, row: { ...row, at: at.toISOString() } }))
}

/** Splits a cursor. Its form has been validated by the contract. */
const placeOf = (mark: string) => sql`(${mark.slice(0, 27)}::timestamptz, ${mark.slice(28)}::bigint)`

/**
 * Returns a row as the reader may see it. Details of rejected calls are hidden from admins, because they may name data
 * of another organisation.
 */
export const tellTo = <Row extends { readonly refused: string | null; readonly detail?: unknown }>(
  { role }: Actor,
  row: Row,
): Row => (role === 'superadmin' || row.refused === null ? row : { ...row, detail: null })
