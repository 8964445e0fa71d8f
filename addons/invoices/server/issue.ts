import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { isCancelled } from './conditions.ts'
import { chargeLines } from './charging.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { lockSupplier, supplierSettings } from './supplier/settings.ts'
import { customerOf } from './customer.ts'
import { draftOf, usageToInvoice } from './draft.ts'
import { requireClosedMonth } from './months.ts'
import { issueDocument } from './store.ts'

export interface InvoiceToIssue {
  readonly organisation: OrganisationId
  readonly month: string
  /**
   * Digest of the draft that the admin confirmed, or null to issue the current content. A month whose invoice was
   * cancelled requires a digest.
   */
  readonly digest: string | null
  readonly by: string
}

/**
 * Issues an invoice.
 * @throws Problem conflict if issued before, no usage is left, settings are missing, or the draft has changed
 */
export async function issueInvoice(
  tx: Tx,
  jobs: JobQueue,
  { organisation, month, digest, by }: InvoiceToIssue,
): Promise<string> {
  await lockSupplier(tx, 'use')
  await lockCharging(tx, organisation)
  const settings = await supplierSettings(tx)
  await requireClosedMonth(tx, settings, month)
  const first = `${month}-01`
  const customer = await customerOf(tx, organisation)
  const issued = await tx
    .selectFrom('tax_document as d')
    .select(['number', isCancelled('d').as('isCancelled')])
    .where('organisation_id', '=', organisation)
    .where('month', '=', first)
    .orderBy('month_issue', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (issued !== undefined && !issued.isCancelled) {
    throw conflict(`${customer.name} already has the invoice ${issued.number} for ${formatMonth(month)}.`)
  }
  // The reason for the cancellation, for example a wrong price, may still exist, so a superadmin reviews the invoice.
  if (issued !== undefined && digest === null) {
    throw conflict(
      `${issued.number} for ${formatMonth(month)} is cancelled. Review the new invoice before you issue it.`,
    )
  }
  const today = await supplierToday(tx)
  const usage = await usageToInvoice(tx, settings, organisation, month, today)
  const { lines } = usage
  if (lines.length === 0) throw conflict(`${customer.name} has nothing to invoice for ${formatMonth(month)}.`)
  const draft = draftOf(settings, customer, month, usage, today)
  if ('problems' in draft) throw conflict(draft.problems.join(' '))
  if (digest !== null && draft.digest !== digest) {
    throw conflict('The invoice has changed since you opened it. Review it again.')
  }
  const { document } = draft
  const number = await issueDocument(tx, jobs, { organisation, document, prefix: settings.invoicePrefix, by })
  await chargeLines(tx, organisation, number, lines)
  return number
}
