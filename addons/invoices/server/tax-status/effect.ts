import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { taxStatus } from '../../contract/tax-status.ts'
import type { SupplierSettings } from '../../contract/supplier.ts'
import { statusProblem } from '../../contract/tax-status-words.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TaxStatus } from '../queries.ts'
import { type Customer, customerOf } from '../customer.ts'
import { draftOf, type UsageToInvoice, usageToInvoice } from '../draft.ts'
import { closedMonths } from '../months.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { supplierProblems } from '../supplier/readiness.ts'
import { supplierSettings } from '../supplier/settings.ts'
import { selectChargedMonths } from './queries.ts'

type Effect = ReplyOf<typeof taxStatus.effect>

/**
 * Returns an organisation's next invoice under its current tax status and under another one from a day on.
 * @param isSupplier true if the reader may see what is missing in the supplier settings
 */
export async function effectOf(
  db: Db,
  id: OrganisationId,
  status: TaxStatus,
  from: string,
  isSupplier: boolean,
): Promise<Effect> {
  const settings = await supplierSettings(db)
  const today = await supplierToday(db)
  const { month, usage } = await nextUsage(db, settings, id, (await closedMonths(db, settings)).toReversed(), today)
  const customer = await customerOf(db, id)
  const day = from > today ? from : today
  const figures = (of: Customer, on: string): Effect['present'] => {
    const draft = draftOf(settings, of, month, usage, on)
    if ('problems' in draft) {
      const own = supplierProblems(settings)
      const problems = draft.problems.filter((problem) => isSupplier || !own.includes(problem))
      if (problems.length === 0) problems.push('The supplier has not set up invoicing yet.')
      return { supplyType: null, taxPaise: null, totalPaise: null, problems }
    }
    const { supplyType, totals } = draft.document
    const taxPaise = totals.cgstPaise + totals.sgstPaise + totals.igstPaise
    return { supplyType, taxPaise, totalPaise: totals.totalPaise, problems: [] }
  }
  const problem = statusProblem(status.place, status.gstin)
  return {
    month,
    from,
    taxablePaise: usage.lines.reduce((sum, { amount }) => sum + amount, 0),
    present: figures(customer, today),
    requested:
      problem === null
        ? figures({ ...customer, place: status.place, gst: status.gstin }, day)
        : { supplyType: null, taxPaise: null, totalPaise: null, problems: [problem] },
  }
}

/** Returns the oldest closed month with usage that is not invoiced, otherwise the current month so far. */
async function nextUsage(
  db: Db,
  settings: SupplierSettings,
  id: OrganisationId,
  months: readonly string[],
  today: string,
): Promise<{ readonly month: string; readonly usage: UsageToInvoice }> {
  const { rows } = await selectChargedMonths(db, id)
  const invoiced = new Set(rows.map(({ month }) => month))
  for (const month of months.filter((one) => !invoiced.has(one))) {
    const usage = await usageToInvoice(db, settings, id, month, today)
    if (usage.lines.length > 0) return { month, usage }
  }
  const month = today.slice(0, 7)
  return { month, usage: await usageToInvoice(db, settings, id, month, today) }
}
