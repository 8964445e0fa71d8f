import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { stringify as stableStringify } from 'safe-stable-stringify'

/** An audit row with all that is sealed of it, as it stands in a copy. */
export interface AuditRow {
  readonly id: number
  /** To the microsecond, in UTC: as exact as it is stored. */
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

/** The place of a row in the chain; hashes in hexadecimal digits. */
export interface Seal {
  readonly position: number
  readonly auditId: number
  readonly rowHash: string
  /** The link before this one. */
  readonly previous: string
  /** This link: sha256 of the one before and of the row's hash. */
  readonly chain: string
}

/** The link before the first. */
export const BEGINNING = '0'.repeat(64)

/** Returns the sha256 of a row's content, in whatever order its fields and those of its documents come. */
export const rowHashOf = (row: AuditRow): string => createHash('sha256').update(stableStringify(row)).digest('hex')

export const chainOf = (previous: string, rowHash: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(Buffer.from(rowHash, 'hex')).digest('hex')

/** Returns the row of the table `audit` by this alias as a document of the form `AuditRow`. */
export const auditRow = (alias: string): RawBuilder<AuditRow> => {
  const a = sql.table(alias)
  return sql<AuditRow>`json_build_object('id', ${a}.id,
    'at', to_char(${a}.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'requestId', ${a}.request_id, 'call', ${a}.call, 'actorId', ${a}.actor_id, 'actorEmail', ${a}.actor_email,
    'actorRole', ${a}.actor_role, 'organisationId', ${a}.organisation_id, 'address', ${a}.address,
    'refused', ${a}.refused, 'detail', ${a}.detail, 'before', ${a}.before, 'after', ${a}.after)`
}

/** Returns the seal of the table `audit_seal` by this alias as a document of the form `Seal`. */
export const auditSeal = (alias: string): RawBuilder<Seal> => {
  const s = sql.table(alias)
  return sql<Seal>`json_build_object('position', ${s}.position, 'auditId', ${s}.audit_id,
    'rowHash', encode(${s}.row_hash, 'hex'), 'previous', encode(${s}.previous, 'hex'),
    'chain', encode(${s}.chain, 'hex'))`
}
