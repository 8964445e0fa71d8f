import { randomUUID } from 'node:crypto'
import { writeAudit } from '../../../core/audit.ts'
import { Problem } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { unchargedOfAll } from '../meter/months.ts'
import { supplierProblems } from '../supplier/readiness.ts'
import { supplierSettings } from '../supplier/settings.ts'
import { supplierToday } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { closedMonths } from './months.ts'

/**
 * The monthly run: issues what is left to invoice of the months that have ended, oldest first, an organisation at a time
 * and each in a transaction of its own. It runs again and again, and issues nothing twice. An organisation that can't be
 * invoiced yet is passed over: its preview says why. Answers the numbers.
 * @throws the first bug of an invoice, once all others are issued
 */
export async function issueWhereDue(db: Db, jobs: Jobs, signal: AbortSignal): Promise<string[]> {
  const settings = await supplierSettings(db)
  if (settings.issuing !== 'by itself' || supplierProblems(settings).length > 0) return []
  const today = await supplierToday(db)
  const months = await closedMonths(db, settings)
  const numbers: string[] = []
  let failed: { readonly error: unknown } | null = null
  for (const month of months.toReversed()) {
    if (month === months[0] && Number(today.slice(8)) < settings.issueDay) continue
    for (const { id } of await unchargedOfAll(db, `${month}-01`)) {
      if (signal.aborted) return numbers
      const issued = { organisation: id, month, digest: null, by: 'monthly run' }
      try {
        numbers.push(
          await db.transaction().execute(async (tx) => {
            const number = await issueInvoice(tx, jobs, issued)
            const asked = { organisation: id, month, number }
            await writeAudit(tx, {
              call: 'invoice.issue',
              requestId: randomUUID(),
              actor: null,
              organisation: id,
              asked,
            })
            return number
          }),
        )
      } catch (error) {
        if (!(error instanceof Problem)) failed ??= { error }
      }
    }
  }
  if (failed !== null) throw failed.error
  return numbers
}
