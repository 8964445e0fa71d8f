import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { stringify as stableStringify } from 'safe-stable-stringify'

export interface AuditRow {
  readonly id: number
  /** UTC with microseconds, the precision of the database. */
  readonly at: string
  readonly requestId: string
  readonly call: string
  readonly actorId: string | null
  readonly actorEmail: string | null
  readonly actorRole: string | null
  readonly organisationId: string | null
  readonly address: string | null
  readonly refused: string | null
  readonly detail: unknown
  readonly before: unknown
  readonly after: unknown
}

export interface Seal {
  readonly position: number
  readonly auditId: number
  readonly rowHash: string
  readonly previous: string
  /** SHA-256 of the previous link and the row's hash. */
  readonly chain: string
}

export const GENESIS = '0'.repeat(64)

/** Returns the hash of a row, which does not depend on the order of fields. */
export const rowHashOf = (row: AuditRow): string => createHash('sha256').update(stableStringify(row)).digest('hex')

export const chainOf = (previous: string, rowHash: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(Buffer.from(rowHash, 'hex')).digest('hex')

export const auditRow = (alias: string): RawBuilder<AuditRow> => {
  const a = sql.table(alias)
  return sql<AuditRow>`json_build_object('id', ${a}.id,
    'at', to_char(${a}.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'requestId', ${a}.request_id, 'call', ${a}.call, 'actorId', ${a}.actor_id, 'actorEmail', ${a}.actor_email,
    'actorRole', ${a}.actor_role, 'organisationId', ${a}.organisation_id, 'address', ${a}.address,
    'refused', ${a}.refused, 'detail', ${a}.detail, 'before', ${a}.before, 'after', ${a}.after)`
}

export const auditSeal = (alias: string): RawBuilder<Seal> => {
  const s = sql.table(alias)
  return sql<Seal>`json_build_object('position', ${s}.position, 'auditId', ${s}.audit_id,
    'rowHash', encode(${s}.row_hash, 'hex'), 'previous', encode(${s}.previous, 'hex'),
    'chain', encode(${s}.chain, 'hex'))`
}
