import { sql } from 'kysely'
import type { Db, Tx } from '../../db/schema.ts'
import { type AuditRow, auditRow, GENESIS, chainOf, rowHashOf, type Seal } from './chain.ts'

const BATCH = 2_000

/** Does not block writers. */
export async function sealAudit(db: Db, signal?: AbortSignal): Promise<void> {
  let sealed: number
  do {
    signal?.throwIfAborted()
    sealed = await db.transaction().setIsolationLevel('repeatable read').execute(sealBatch).catch(ignoreConcurrentSeal)
  } while (sealed === BATCH)
}

/** Another process sealed the same rows, for example one that was believed to be dead. */
function ignoreConcurrentSeal(error: unknown): number {
  const { code, table } = error as { code?: string; table?: string }
  if (code === '23505' && table === 'audit_seal') return 0
  throw error
}

interface Unsealed {
  readonly row: AuditRow
  readonly xid: string
}

/** Fewer than `BATCH` if no rows are left. */
async function sealBatch(tx: Tx): Promise<number> {
  const last = await tx
    .selectFrom('audit_seal')
    .select(['position', sql<string>`encode(chain, 'hex')`.as('chain'), 'complete_below'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { horizon, next } = await transactionIds(tx)
  // After a restore on another server, transaction IDs start over, so all rows must be checked again.
  const since = last !== undefined && BigInt(last.complete_below) <= BigInt(next) ? last.complete_below : '0'
  const { rows } = await sql<Unsealed>`
    select ${auditRow('audit')} as row, audit.xid::text as xid from audit
    where audit.xid >= ${since}::xid8
      and not exists (select from audit_seal where audit_id = audit.id)
    order by audit.xid, audit.id limit ${BATCH}`.execute(tx)
  if (rows.length === 0) return 0
  const completeBelow = rows.length < BATCH ? horizon : smaller(rows.at(-1)!.xid, horizon)
  await writeSeals(tx, linksAfter(last, rows), completeBelow)
  return rows.length
}

const smaller = (a: string, b: string) => (BigInt(a) < BigInt(b) ? a : b)

/** Rows below are visible or will never be. Later ones wait for the next run, so a late row gets a later position. */
async function transactionIds(tx: Tx): Promise<{ horizon: string; next: string }> {
  const { rows } = await sql<{ horizon: string; next: string }>`
    select pg_snapshot_xmin(s)::text as horizon, pg_snapshot_xmax(s)::text as next
    from pg_current_snapshot() as s`.execute(tx)
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
  await sql`
    insert into audit_seal (position, audit_id, row_hash, previous, chain, complete_below)
    select position, "auditId", decode("rowHash", 'hex'), decode(previous, 'hex'), decode(chain, 'hex'),
      ${completeBelow}::xid8
    from json_to_recordset(${JSON.stringify(seals)}::json)
      as s (position bigint, "auditId" bigint, "rowHash" text, previous text, chain text)`.execute(tx)
}
