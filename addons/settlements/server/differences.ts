import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectSettlementDifferences, type Differences } from './queries.ts'

/**
 * Compares each online payment and refund of the ledger with the lines of settlements. Together with the
 * waiting entries, the differences add up to the balance of the account Payment Provider.
 */
export async function settlementDifferences(db: Db): Promise<Differences> {
  const { rows } = await selectSettlementDifferences(db)
  const { balance, waiting } = rows[0]!
  return {
    balancePaise: balance,
    waitingPaise: waiting,
    rows: rows.flatMap(({ row }) => (row === null ? [] : [row])),
  }
}
