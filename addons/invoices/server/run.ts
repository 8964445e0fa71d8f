import { randomUUID } from 'node:crypto'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { carryForward, unchargedByOrganisation } from './charging.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { supplierProblems } from './supplier/readiness.ts'
import { lockSupplier, supplierSettings } from './supplier/settings.ts'
import { customerOf } from './customer.ts'
import { draftOf, usageToInvoice } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { closedMonths } from './months.ts'

/** Maximum amount before tax, in paise, at which an invoice can have a total of zero. */
const CARRIED_PAISE_MAX = 49

/**
 * Issues the due invoices, each in a separate transaction. Idempotent.
 * @throws the first unexpected error, after it has tried to issue all other invoices
 */
export async function issueDueInvoices(db: Db, jobs: JobQueue, signal: AbortSignal): Promise<string[]> {
  const settings = await supplierSettings(db)
  if (supplierProblems(settings).length > 0) return []
  const today = await supplierToday(db)
  const months = await closedMonths(db, settings)
  const numbers: string[] = []
  let failed: { readonly error: unknown } | null = null
  for (const month of months.toReversed()) {
    if (month === months[0] && Number(today.slice(8)) < settings.issueDay) continue
    for (const { id, amount } of await unchargedByOrganisation(db, `${month}-01`)) {
      if (signal.aborted) return numbers
      if (amount <= CARRIED_PAISE_MAX && (await carryForwardIfZero(db, id, month))) continue
      if (settings.issuing !== 'automatic') continue
      const toIssue = { organisation: id, month, digest: null, by: 'monthly run' }
      try {
        numbers.push(
          await db.transaction().execute(async (tx) => {
            const number = await issueInvoice(tx, jobs, toIssue)
            const request = { organisation: id, month, number }
            await writeAudit(tx, {
              call: 'invoice.issue',
              requestId: randomUUID(),
              actor: null,
              organisation: id,
              request,
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

/**
 * Carries a month's usage forward if its invoice would have a total of zero. Returns true if the usage was carried
 * forward.
 */
async function carryForwardIfZero(db: Db, organisation: OrganisationId, month: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockSupplier(tx, 'use')
    await lockCharging(tx, organisation)
    const first = `${month}-01`
    const settings = await supplierSettings(tx)
    const today = await supplierToday(tx)
    const usage = await usageToInvoice(tx, settings, organisation, month, today)
    if (usage.lines.length === 0) return false
    const customer = await customerOf(tx, organisation)
    const draftOrProblems = draftOf(settings, customer, month, usage, today)
    if (!('problems' in draftOrProblems) || draftOrProblems.isCarried !== true) return false
    await carryForward(tx, organisation, first)
    return true
  })
}
