import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectTrialBalance } from './queries.ts'

/**
 * Returns the balances of all accounts from the entries dated until a day. Receivable and advances are divided by the
 * balance of each customer at the end of that day.
 */
export async function trialBalance(db: Db, on: string): Promise<ReplyOf<typeof accounting.trialBalance>> {
  const { rows } = await selectTrialBalance(db, on)
  const accounts = rows.map(({ account, paise }) => ({
    account,
    debitPaise: Math.max(0, paise),
    creditPaise: Math.max(0, -paise),
  }))
  const sum = (side: 'debitPaise' | 'creditPaise') => accounts.reduce((total, each) => total + each[side], 0)
  return { on, accounts, debitPaise: sum('debitPaise'), creditPaise: sum('creditPaise') }
}
