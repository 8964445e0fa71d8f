import type { CostOwner } from '../contract/cost-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { usedBetween } from '@trainyard/usage/server/months.ts'
import {
  selectMonths,
  selectDaysOfMonth,
  selectOwnedCosts,
  selectTaxes,
  type Money,
  type CostRow,
  type Month,
} from './queries.ts'

async function monthsOf(db: Db): Promise<string[]> {
  const { rows } = await selectMonths(db)
  return rows.map(({ month }) => month)
}

/** Returns the costs of a month. Its days are UTC days, as in the providers' bills. */
export async function monthOfCosts(db: Db, requested: string | undefined): Promise<Month> {
  const months = await monthsOf(db)
  const month = requested ?? months[0] ?? null
  if (month === null) return { ...EMPTY_MONTH, months }
  const first = `${month}-01`
  const { rows: known } = await selectDaysOfMonth(db, first)
  const { through, open, amortised, to } = known[0]!
  // Machines run on Azure. Without a line from Azure, the charges cannot be compared with the costs of any period.
  const used = to === null ? [] : await usedBetween(db, new Date(`${first}T00:00:00Z`), to)
  const { rows: costs } = await selectOwnedCosts(db, first)

  const { rows: tax } = await selectTaxes(db, first)

  const rows = new Map<string, { row: Omit<CostRow, 'marginPaise' | 'cost'>; cost: Money[number][] }>()
  const of = (row: Omit<CostRow, 'marginPaise' | 'cost' | 'chargedPaise'>, key: string) => {
    const found = rows.get(key) ?? { row: { ...row, chargedPaise: null }, cost: [] }
    rows.set(key, found)
    return found
  }
  for (const { owner, organization, training, training_id, currency, hundredths } of costs) {
    const named = { owner, organization, trainingName: training }
    of(named, training_id ?? `${owner} ${organization ?? ''}`).cost.push({ currency, hundredths })
  }
  for (const { organization, training, trainingId, amount } of used) {
    const found = of({ owner: 'training', organization, trainingName: training }, trainingId)
    found.row = { ...found.row, chargedPaise: amount }
  }
  const listed = [...rows.values()]
    .map(({ row, cost }): CostRow => ({ ...row, cost, marginPaise: marginOf(row.chargedPaise, cost) }))
    .toSorted((a, b) => OWNER_ORDER[a.owner] - OWNER_ORDER[b.owner] || nameOf(a).localeCompare(nameOf(b)))
  return {
    months: months.includes(month) ? months : [month, ...months],
    month,
    throughDay: through,
    open,
    amortised,
    chargedPaise: used.reduce((sum, { amount }) => sum + amount, 0),
    cost: sumOf(listed),
    tax,
    unclaimed: sumOf(listed.filter(({ owner }) => owner === 'unclaimed')),
    rows: listed,
  }
}

const EMPTY_MONTH: Month = {
  months: [],
  month: null,
  throughDay: null,
  open: false,
  amortised: false,
  chargedPaise: 0,
  cost: [],
  tax: [],
  unclaimed: [],
  rows: [],
}

const OWNER_ORDER: Readonly<Record<CostOwner, number>> = {
  training: 0,
  sandboxes: 1,
  shared: 2,
  account: 3,
  unclaimed: 4,
}

const nameOf = ({ organization, trainingName }: CostRow): string => `${organization ?? ''} ${trainingName ?? ''}`

function marginOf(charged: number | null, cost: Money): number | null {
  if (charged === null || cost.length !== 1 || cost[0]!.currency !== 'INR') return null
  return charged - cost[0]!.hundredths
}

/** Sums the displayed, rounded values, so that the total matches the displayed rows. */
function sumOf(rows: readonly CostRow[]): Money {
  const sums = new Map<string, number>()
  for (const { currency, hundredths } of rows.flatMap(({ cost }) => cost)) {
    sums.set(currency, (sums.get(currency) ?? 0) + hundredths)
  }
  return [...sums]
    .map(([currency, hundredths]) => ({ currency, hundredths }))
    .toSorted((a, b) => a.currency.localeCompare(b.currency))
}
