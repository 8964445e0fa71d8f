import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { monthWords } from '@trainyard/contract/words/tax-document.ts'
import { conflict } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { chargeLines, holdCharging, unchargedOf } from '../meter/months.ts'
import { holdSupplier, supplierSettings } from '../supplier/settings.ts'
import { customerOf } from './customer.ts'
import { draftOf, supplierToday } from './draft.ts'
import { refuseOpenMonth } from './months.ts'
import { issueDocument } from './store.ts'

export interface ToIssue {
  readonly organisation: OrganisationId
  /** YYYY-MM. */
  readonly month: string
  /** The content that was looked at; null: whatever it is now. */
  readonly digest: string | null
  readonly by: string
}

/**
 * Issues an organisation's invoice of a month; answers its number.
 * @throws Problem conflict: there is one already, nothing is left to invoice, something is missing, or the draft has
 * changed since it was looked at
 */
export async function issueInvoice(tx: Tx, jobs: Jobs, { organisation, month, digest, by }: ToIssue): Promise<string> {
  await holdSupplier(tx, 'use')
  await holdCharging(tx, organisation)
  const settings = await supplierSettings(tx)
  await refuseOpenMonth(tx, settings, month)
  const first = `${month}-01`
  const customer = await customerOf(tx, organisation)
  const before = await tx
    .selectFrom('tax_document')
    .select('number')
    .where('organisation_id', '=', organisation)
    .where('month', '=', first)
    .executeTakeFirst()
  if (before !== undefined) {
    throw conflict(`${customer.name} has the invoice ${before.number} of ${monthWords(month)} already.`)
  }
  const lines = await unchargedOf(tx, organisation, first)
  if (lines.length === 0) throw conflict(`${customer.name} has nothing to be invoiced for ${monthWords(month)}.`)
  const draft = draftOf(settings, customer, month, lines, await supplierToday(tx))
  if ('problems' in draft) throw conflict(draft.problems.join(' '))
  if (digest !== null && draft.digest !== digest) {
    throw conflict('The invoice has changed since you looked at it. Look at it again.')
  }
  const { document } = draft
  const number = await issueDocument(tx, jobs, { organisation, document, prefix: settings.invoicePrefix, by })
  await chargeLines(tx, organisation, first, number, lines)
  return number
}
