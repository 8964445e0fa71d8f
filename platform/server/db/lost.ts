import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Codes of a lost connection: system errors, and 53300 (too_many_connections). */
const LOST_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '53300'])

/** Returns true if the database cannot be reached, or is starting or stopping. */
export function isDatabaseLost(error: unknown): boolean {
  // The job queue passes on copies of errors, which are plain objects.
  if (typeof error !== 'object' || error === null) return false
  const code = 'code' in error ? String(error.code) : ''
  if (LOST_CONNECTION.has(code) || /^(08|57P)/.test(code)) return true
  // ENOENT is a lost connection only if the database's socket is missing, not for other missing files.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return (
    'message' in error &&
    /connection terminated|timeout expired|client has encountered a connection error/i.test(String(error.message))
  )
}

/**
 * PostgreSQL's too_many_connections, lock_not_available (lock_timeout), query_canceled (statement_timeout), and
 * idle_in_transaction_session_timeout.
 */
const BUSY = new Set(['53300', '55P03', '57014', '25P03'])
/** Text of pg-pool's error when no connection became free in time. The error has no code. */
const POOL_BUSY = 'timeout exceeded when trying to connect'

/** Returns true if the database answers but could not do the work in time. */
export function isDatabaseBusy(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return ('code' in error && BUSY.has(String(error.code))) || ('message' in error && error.message === POOL_BUSY)
}

/** Returns true for PostgreSQL's insufficient_privilege. */
export const isForbidden = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '42501'

/** Returns true while an upgrade has taken the privileges to change rows, and not for one missing privilege. */
export async function isBeingUpgraded(db: Db): Promise<boolean> {
  const { rows } = await sql<{ writable: boolean }>`
    select has_table_privilege('part_state', 'insert') as writable`.execute(db)
  return !rows[0]!.writable
}

/** Awaits the record of a use, which is left out during an upgrade, so that the call can still read. */
export async function unlessUpgraded(db: Db, recording: Promise<unknown>): Promise<void> {
  await recording.catch(async (error: unknown) => {
    if (db.isTransaction || !isForbidden(error) || !(await isBeingUpgraded(db))) throw error
  })
}

/**
 * Returns true if PostgreSQL rejects a value: class 22 (data exception), such as a timestamp or number out of range, or
 * 54000, a text that is too long for an index. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const isRejectedValue = (error: object): boolean =>
  'code' in error && /^(?:22[0-9A-Z]{3}|54000)$/.test(String(error.code))

/**
 * Returns true for PostgreSQL's disk_full or a full disk of the portal. The error ends when an operator frees space.
 */
export function isDiskFull(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && ['53100', 'ENOSPC'].includes(String(error.code))
  )
}
