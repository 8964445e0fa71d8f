import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Payments, SettledLine } from '@trainyard/payments/server/payments-provider.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'
import {
  selectDaysToRead,
  upsertDay,
  insertSettlements,
  selectSettlementsOfLines,
  upsertLines,
  postSettlements,
} from './queries.ts'

/**
 * Reads the settlements of every day that has ended since the first online payment: once, and then daily for some days.
 * Each day is a separate transaction, so that a run that ends early loses nothing. Safe to repeat.
 */
export async function readSettlements(db: Db, payments: Payments, signal: AbortSignal): Promise<void> {
  for (const day of await daysToRead(db)) {
    if (signal.aborted) return
    const lines = await payments.listSettled(day, signal)
    await db.transaction().execute((tx) => storeDay(tx, day, lines))
  }
}

async function daysToRead(db: Db): Promise<string[]> {
  const { rows } = await selectDaysToRead(db)
  return rows.map(({ day }) => day)
}

async function storeDay(tx: Tx, day: string, lines: readonly SettledLine[]): Promise<void> {
  await lockName(tx, 'trainyard settlements')
  await upsertDay(tx, day)
  if (lines.length === 0) return

  await insertSettlements(tx, lines)
  const { rows: before } = await selectSettlementsOfLines(
    tx,
    lines.map(({ id }) => id),
  )
  // A transfer to the bank that failed is repeated by a later settlement, to which its lines move. The report of the
  // earlier day may still list them.
  await upsertLines(tx, lines)
  const changed = [...new Set([...before.map(({ id }) => id), ...lines.map(({ settlementId }) => settlementId)])]
  await postSettlements(tx, changed.toSorted())
}
