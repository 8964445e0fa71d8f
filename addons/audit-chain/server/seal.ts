import { sql } from 'kysely'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type AuditRow, GENESIS, chainOf, rowHashOf, type Seal } from './chain.ts'
import {
  selectRowsToSeal,
  selectTransactionIds,
  insertSeals,
  selectBackdatedRows,
  type Unsealed,
  SEALED_AT_ONCE,
  LATE_SECONDS,
} from './queries.ts'

export interface Sealing {
  readonly signal?: AbortSignal
  /** Receives a sentence for each row whose date is long before the row can have been written. */
  readonly logMessage?: (sentence: string) => void
}

/** Seals the rows that can no longer change. Does not block writers. */
export async function sealAudit(db: Db, { signal, logMessage }: Sealing = {}): Promise<void> {
  let sealed: number
  do {
    signal?.throwIfAborted()
    const backdated: string[] = []
    sealed = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => sealBatch(tx, backdated))
      .catch(ignoreConcurrentSeal)
    for (const sentence of backdated) logMessage?.(sentence)
  } while (sealed === SEALED_AT_ONCE)
}

/** Ignores the error if another process sealed the same rows, for example a process that seemed to be dead. */
function ignoreConcurrentSeal(error: unknown): number {
  const { code, table } = error as { code?: string; table?: string }
  if (code === '23505' && table === 'audit_seal') return 0
  throw error
}

/**
 * Seals one batch and returns its size, which is less than `SEALED_AT_ONCE` if no rows are left.
 * @param backdated receives a sentence for each row whose date is long before the row can have been written
 */
async function sealBatch(tx: Tx, backdated: string[]): Promise<number> {
  const last = await tx
    .selectFrom('audit_seal')
    .select([
      'position',
      sql<string>`encode(chain, 'hex')`.as('chain'),
      'complete_below',
      // If the last batch was full, rows of any age may still need a seal.
      sql<
        string | null
      >`case when (select count(*) from audit_seal as s where s.position > audit_seal.position - ${SEALED_AT_ONCE}
        and s.sealed_at = audit_seal.sealed_at) < ${SEALED_AT_ONCE} then audit_seal.sealed_at - ${LATE_SECONDS} * interval '1 second'
        end::text`.as('oldest'),
    ])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { horizon, next } = await transactionIds(tx)
  // After a restore on another server, transaction IDs start again, so all rows must be checked again.
  const since = last !== undefined && BigInt(last.complete_below) <= BigInt(next) ? last.complete_below : '0'
  const { rows } = await selectRowsToSeal(tx, last?.oldest ?? null, since)
  if (rows.length === 0) return 0
  for (const { row } of rows.filter(({ late }) => late)) {
    backdated.push(backdatedRow(row))
  }
  const completeBelow = rows.length < SEALED_AT_ONCE ? horizon : smaller(rows.at(-1)!.xid, horizon)
  await writeSeals(tx, linksAfter(last, rows), completeBelow)
  return rows.length
}

const smaller = (a: string, b: string) => (BigInt(a) < BigInt(b) ? a : b)

/**
 * Returns the horizon: rows of earlier transactions are visible or will never exist. Rows of later transactions wait
 * for the next run, so that a row that commits late gets a later position.
 */
async function transactionIds(tx: Tx): Promise<{ horizon: string; next: string }> {
  const { rows } = await selectTransactionIds(tx)
  return rows[0]!
}

function linksAfter(last: { position: number; chain: string } | undefined, rows: readonly Unsealed[]): Seal[] {
  let position = last?.position ?? 0
  let chain = last?.chain ?? GENESIS
  return rows.map(({ row }) => {
    const [rowHash, previous] = [rowHashOf(row), chain]
    chain = chainOf(previous, rowHash)
    position += 1
    return { position, auditId: row.id, rowHash, previous, chain }
  })
}

async function writeSeals(tx: Tx, seals: readonly Seal[], completeBelow: string): Promise<void> {
  await insertSeals(tx, completeBelow, JSON.stringify(seals))
}

const backdatedRow = ({ id, call, actorEmail, at }: Pick<AuditRow, 'id' | 'call' | 'actorEmail' | 'at'>): string =>
  `Audit row ${id} (${call} by ${actorEmail ?? 'no user'}) is dated ${at}, hours before it was written: it was ` +
  'backdated, or the clock was set back.'

/** Returns at most `max` of the sentences that `sealAudit` reported for rows of the table. */
export async function backdatedRows(db: Db, max: number): Promise<string[]> {
  const { rows } = await selectBackdatedRows(db, max)
  return rows.map(({ row }) => backdatedRow(row))
}
