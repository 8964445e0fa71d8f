import { type RawBuilder, sql } from 'kysely'
import type { AuditRow } from '@trainyard/contract/calls/audit.ts'
import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../db/schema.ts'

/** A row with its place among the others, which is exact to the microsecond. */
export interface Found {
  readonly row: AuditRow
  readonly mark: string
}

/** Returns the newest rows of which a condition on `a` holds, or those before the mark of another answer. */
export async function auditRows(
  db: Db,
  of: RawBuilder<boolean>,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<Found[]> {
  const { rows } = await sql<Omit<AuditRow, 'at'> & { at: Date; mark: string }>`
    select a.id, a.at, a.call, a.actor_email as person, a.actor_role as role, o.name as organization, a.address,
      a.refused, a.detail, a.before, a.after, s.position,
      to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '.' || a.id as mark
    from (select * from audit a
      where ${of} and ${before === undefined ? sql`true` : sql`(a.at, a.id) < ${placeOf(before)}`}
      order by a.at desc, a.id desc limit ${limit}) a
    left join organisation o on o.id = a.organisation_id
    left join audit_seal s on s.audit_id = a.id
    order by a.at desc, a.id desc`.execute(db)
  return rows.map(({ mark, at, ...row }) => ({ mark, row: { ...row, at: at.toISOString() } }))
}

/** The contract holds marks to the form that this takes apart. */
const placeOf = (mark: string) => sql`(${mark.slice(0, 27)}::timestamptz, ${mark.slice(28)}::bigint)`

/** Returns a row as its reader is told it: to admins, what somebody was refused may name what is another's. */
export const tellTo = <Row extends { readonly refused: string | null; readonly detail?: unknown }>(
  { role }: Actor,
  row: Row,
): Row => (role === 'superadmin' || row.refused === null ? row : { ...row, detail: null })
