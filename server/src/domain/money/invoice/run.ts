import { randomUUID } from 'node:crypto'
import { writeAudit } from '../../../core/audit.ts'
import { Problem } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { unchargedByOrganisation } from '../meter/months.ts'
import { supplierProblems } from '../supplier/readiness.ts'
import { supplierSettings } from '../supplier/settings.ts'
import { supplierToday } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { closedMonths } from './months.ts'

/** Idempotent, each in a separate transaction. @throws the first unexpected error, after all other invoices */
export async function issueDueInvoices(db: Db, jobs: JobQueue, signal: AbortSignal): Promise<string[]> {
  const settings = await supplierSettings(db)
  if (settings.issuing !== 'by itself' || supplierProblems(settings).length > 0) return []
  const today = await supplierToday(db)
  const months = await closedMonths(db, settings)
  const numbers: string[] = []
  let failed: { readonly error: unknown } | null = null
  for (const month of months.toReversed()) {
    if (month === months[0] && Number(today.slice(8)) < settings.issueDay) continue
    for (const { id } of await unchargedByOrganisation(db, `${month}-01`)) {
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
              request: asked,
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
