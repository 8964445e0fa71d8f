import type { unchargedUsage } from '../contract/invoice.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { organisationByName } from '@trainyard/organisations/server/scope.ts'
import { lastMonths } from '@trainyard/usage/server/months.ts'
import {
  deleteCarriedMonths,
  insertChargedLines,
  selectUnchargedByOrganisation,
  selectUnchargedLines,
  type MonthLine,
} from './queries.ts'

export async function unchargedLinesOf(
  db: Db,
  organisation: OrganisationId,
  month: string,
  change: string | null = null,
): Promise<MonthLine[]> {
  const { rows } = await selectUnchargedLines(db, month, organisation, change)
  return rows
}

/** Returns the uncharged lines of a month and of the earlier months that were carried forward, oldest month first. */
export async function linesToInvoice(
  db: Db,
  organisation: OrganisationId,
  month: string,
  change: string | null,
): Promise<MonthLine[]> {
  const carried = await db
    .selectFrom('carried_month')
    .select('month')
    .where('organisation_id', '=', organisation)
    .where('month', '<', month)
    .orderBy('month')
    .execute()
  const lines = await unchargedLinesOf(db, organisation, month, change)
  if (lines.length === 0) return []
  const earlier = []
  for (const each of carried) earlier.push(...(await unchargedLinesOf(db, organisation, each.month, change)))
  return [...earlier, ...lines]
}

export async function carryForward(tx: Tx, organisation: OrganisationId, month: string): Promise<void> {
  await tx
    .insertInto('carried_month')
    .values({ organisation_id: organisation, month })
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Returns the uncharged amounts in paise. Omits organisations without such an amount, also if their month was carried
 * forward.
 */
export async function unchargedByOrganisation(db: Db, month: string): Promise<{ id: OrganisationId; amount: Paise }[]> {
  const { rows } = await selectUnchargedByOrganisation(db, month)
  return rows
}

async function unchargedMonths(
  db: Db,
  organisation: OrganisationId,
  months: number,
): Promise<{ month: string; amount: Paise }[]> {
  const found = []
  for (const month of await lastMonths(db, months)) {
    const lines = await unchargedLinesOf(db, organisation, month)
    if (lines.length > 0) found.push({ month, amount: lines.reduce((sum, { amount }) => sum + amount, 0) as Paise })
  }
  return found
}

/** Charges lines. A unique constraint prevents a second charge. */
export async function chargeLines(
  tx: Tx,
  organisation: OrganisationId,
  invoice: string,
  lines: readonly MonthLine[],
): Promise<void> {
  await insertChargedLines(tx, organisation, invoice, lines)
  await deleteCarriedMonths(
    tx,
    organisation,
    lines.map(({ month }) => month),
  )
}

/**
 * Marks a month's usage as covered by an invoice. The caller must hold `lockCharging`.
 * @throws Problem conflict if the month has not ended or no usage is left
 */
export async function coverMonth(
  tx: Tx,
  { id, name }: { readonly id: OrganisationId; readonly name: string },
  month: string,
  invoice: string,
): Promise<void> {
  const first = `${month}-01`
  const [newest] = await lastMonths(tx, 1)
  if (first > newest!) throw conflict('This month has not ended.')
  const lines = await unchargedLinesOf(tx, id, first)
  if (lines.length === 0) throw conflict(`${name} has no uninvoiced usage in this month.`)
  await chargeLines(tx, id, invoice, lines)
}

/** Number of months in the list of uncharged usage. */
const MONTHS = 12

export const usageHandlers: Pick<HandlersOf<'meter'>, keyof typeof unchargedUsage> = {
  async uncharged(db, { query }) {
    const { id } = await organisationByName(db, query.organization)
    const months = await unchargedMonths(db, id, MONTHS)
    return { months: months.map(({ month, amount }) => ({ month: month.slice(0, 7), amountPaise: amount })) }
  },
}
