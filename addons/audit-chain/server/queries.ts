import { sql, type RawBuilder } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type Seal, type AuditRow, auditSeal, auditRow } from './chain.ts'

/** Signed hash of an audit row after its personal data was replaced. Bytes are hexadecimal. */
export interface Erasure {
  readonly rowHash: string
  readonly erasedAt: string
  readonly publicKey: string
  readonly signature: string
}

const auditErasure = (alias: string): RawBuilder<Erasure | null> => {
  const e = sql.table(alias)
  return sql<Erasure | null>`case when ${e}.audit_id is not null then json_build_object(
    'rowHash', encode(${e}.row_hash, 'hex'),
    'erasedAt', to_char(${e}.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'publicKey', encode(${e}.public_key, 'hex'), 'signature', encode(${e}.signature, 'hex')) end`
}

export const COPIED_AT_ONCE = 2_000

export const ERASED_AT_ONCE = 500

export interface Unsealed {
  readonly row: AuditRow
  readonly xid: string
  /** True if an earlier run would have found the row, had the row been written at the time that the row states. */
  readonly late: boolean
}

export const SEALED_AT_ONCE = 2_000

/** Maximum age in seconds of a row that is new since the last run. The limit is longer than any transaction. */
export const LATE_SECONDS = 3_600

export const REPORTED_MAX = 1_000

export const selectPositionsBefore = (db: Db, days: number) =>
  sql<{ first: number | null; last: number | null }>`
    select min(s.position) as first, coalesce(
        min(s.position) filter (where a.at >= portal_now() - make_interval(days => ${days})), max(s.position)) - 1 as last
    from audit_seal s left join audit a on a.id = s.audit_id`.execute(db)

export const deleteAudit = (tx: Tx, deleted: readonly number[]) =>
  sql`delete from audit where id = any(${deleted}::bigint[])`.execute(tx)

export const selectLinks = (db: Db, after: number, upTo: number) =>
  sql<{ seal: Seal; row: AuditRow | null; erasure: Erasure | null }>`
    select ${auditSeal('s')} as seal, case when a.id is null then null else ${auditRow('a')} end as row,
      ${auditErasure('e')} as erasure
    from audit_seal s left join audit a on a.id = s.audit_id left join audit_erasure e on e.audit_id = s.audit_id
    where s.position > ${after} and s.position <= ${upTo}
    order by s.position limit ${COPIED_AT_ONCE}`.execute(db)

export const selectBatchToErase = (
  tx: Tx,
  after: number,
  organisation: string | null,
  users: readonly UserId[],
  pattern: string,
) =>
  sql<{ row: AuditRow; seal: Seal }>`
    select ${auditRow('a')} as row, ${auditSeal('s')} as seal
    from audit a join audit_seal s on s.audit_id = a.id
    where s.position > ${after}
      and (${organisation}::uuid is null or a.organisation_id is null or a.organisation_id = ${organisation}::uuid
        or a.actor_id = any(${users}::uuid[]))
      and ((a.actor_id = any(${users}::uuid[]) and a.address is not null)
        or concat_ws(' ', a.actor_email, a.detail::text, a.before::text, a.after::text) ~* ${pattern})
    order by s.position limit ${ERASED_AT_ONCE} for update of a`.execute(tx)

export const updateErasedRow = (
  tx: Tx,
  input: {
    readonly actorEmail: string | null
    readonly address: string | null
    readonly detail: string | null
    readonly before: string | null
    readonly after: string | null
    readonly row: number
  },
) =>
  sql<{ row: AuditRow }>`
    update audit set actor_email = ${input.actorEmail},
      address = ${input.address}, detail = ${input.detail}::jsonb,
      before = ${input.before}::jsonb, after = ${input.after}::jsonb
    where id = ${input.row} returning ${auditRow('audit')} as row`.execute(tx)

export const upsertErasure = (
  tx: Tx,
  input: {
    readonly row: number
    readonly rowHash: string
    readonly erasedAt: string
    readonly publicKey: string
    readonly signature: string
  },
) =>
  sql`
    insert into audit_erasure (audit_id, row_hash, erased_at, public_key, signature)
    values (${input.row}, decode(${input.rowHash}, 'hex'), ${input.erasedAt}, decode(${input.publicKey}, 'hex'), decode(${input.signature}, 'hex'))
    on conflict (audit_id) do update set row_hash = excluded.row_hash, erased_at = excluded.erased_at,
      public_key = excluded.public_key, signature = excluded.signature`.execute(tx)

export const selectRowsWithSeals = (db: Db, ids: readonly number[]) =>
  sql<{ row: AuditRow; seal: Seal | null; erasure: Erasure | null }>`
    select ${auditRow('a')} as row, case when s.position is null then null else ${auditSeal('s')} end as seal,
      ${auditErasure('e')} as erasure
    from audit a left join audit_seal s on s.audit_id = a.id left join audit_erasure e on e.audit_id = a.id
    where a.id = any(${ids}::bigint[]) order by a.at desc, a.id desc`.execute(db)

export const selectRowsToSeal = (tx: Tx, oldest: string | null, since: string) =>
  sql<Unsealed>`
    select ${auditRow('audit')} as row, audit.xid::text as xid,
      coalesce(audit.at < ${oldest}::timestamptz, false) as late from audit
    where audit.xid >= ${since}::xid8
      and not exists (select from audit_seal where audit_id = audit.id)
    order by audit.xid, audit.id limit ${SEALED_AT_ONCE}`.execute(tx)

export const selectTransactionIds = (tx: Tx) =>
  sql<{ horizon: string; next: string }>`
    select pg_snapshot_xmin(s)::text as horizon, pg_snapshot_xmax(s)::text as next
    from pg_current_snapshot() as s`.execute(tx)

export const insertSeals = (tx: Tx, completeBelow: string, seals: string) =>
  sql`
    insert into audit_seal (position, audit_id, row_hash, previous, chain, complete_below)
    select position, "auditId", decode("rowHash", 'hex'), decode(previous, 'hex'), decode(chain, 'hex'),
      ${completeBelow}::xid8
    from json_to_recordset(${seals}::json)
      as s (position bigint, "auditId" bigint, "rowHash" text, previous text, chain text)`.execute(tx)

export const selectBackdatedRows = (db: Db, max: number) =>
  sql<{ row: AuditRow }>`
    with batch as (
      select sealed_at, max(case when count(*) < ${SEALED_AT_ONCE} then sealed_at end)
        over (order by sealed_at rows between unbounded preceding and 1 preceding) as complete_at
      from audit_seal group by sealed_at
    )
    select ${auditRow('audit')} as row from batch
    join audit_seal using (sealed_at) join audit on audit.id = audit_seal.audit_id
    where audit.at < batch.complete_at - ${LATE_SECONDS} * interval '1 second'
    order by audit_seal.position limit ${max}`.execute(db)

/** After a restore on another server, transaction IDs start again, and no row is late until the next seal. */
export const selectUnsealedRows = (db: Db) =>
  sql<{ id: number; late: boolean }>`
    select id, xid < coalesce((
      select case when complete_below <= pg_snapshot_xmax(pg_current_snapshot()) then complete_below end
      from audit_seal order by position desc limit 1), '0') as late
    from audit where not exists (select from audit_seal where audit_id = audit.id) order by id limit ${REPORTED_MAX}`.execute(
    db,
  )
