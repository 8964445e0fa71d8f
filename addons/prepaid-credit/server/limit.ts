import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { unchargedLinesOf } from '@trainyard/invoices/server/charging.ts'
import type { MoneySubject, Outlook } from '@trainyard/usage/server/outlook.ts'
import { lastMonths, supplierToday } from '@trainyard/usage/server/months.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { taxRateOf } from './purchase.ts'
import { prepaidStateOf } from './prepaid.ts'
import { selectAccounts, selectLimit } from './queries.ts'

/** Number of closed months whose usage may not be invoiced yet. Users have entered invoices for older usage. */
const OPEN_MONTHS = 2

interface CreditLimit {
  readonly enforced: boolean
  readonly limit: Paise
  /** Ledger balance; negative if paid ahead. */
  readonly balance: Paise
  /** Usage that is not invoiced yet, with tax. */
  readonly unbilled: Paise
  readonly isReached: boolean
}

/** Returns the credit limit of an organisation and what counts towards it: its balance and the usage not invoiced yet. */
export async function creditLimitOf(db: Db, organisation: OrganisationId): Promise<CreditLimit> {
  const { rows } = await selectLimit(db, organisation)
  const { enforced, limit, month } = rows[0]!
  const balance = await balanceOf(db, organisation)
  const { firstMonth } = await supplierSettings(db)
  const closed = (await lastMonths(db, OPEN_MONTHS)).filter((each) => firstMonth !== null && each >= `${firstMonth}-01`)
  let used = 0
  for (const each of [`${month}-01`, ...closed]) {
    for (const { amount } of await unchargedLinesOf(db, organisation, each)) used += amount
  }
  const rate = used === 0 ? 0 : await taxRateOf(db, organisation, await supplierToday(db))
  const unbilled = paise(used + Math.round((used * rate) / 10_000))
  return { enforced, limit, balance, unbilled, isReached: balance + unbilled >= limit }
}

/**
 * Returns the prepaid credit that is left to a training or organisation. Without prepaid credit it is the part of the
 * credit limit that the balance and the usage not invoiced yet leave.
 */
export async function creditLeftOf(db: Db, { organisation, training }: MoneySubject): Promise<Outlook['credit']> {
  const { rows } = await selectAccounts(db, organisation)
  const account =
    rows.find(({ training_id }) => training_id !== null && training_id === training) ??
    rows.find(({ training_id }) => training_id === null)
  if (account !== undefined) {
    return { kind: 'prepaid', leftPaise: (await prepaidStateOf(db, account)).left, countsUsage: true }
  }
  const { limit, balance, unbilled } = await creditLimitOf(db, organisation)
  return { kind: 'limit', leftPaise: limit - balance - unbilled, countsUsage: true }
}
