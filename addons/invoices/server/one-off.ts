import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice, TaxDocument } from '../contract/invoice.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { rateOn, readySupplier, supplierProblems } from './supplier/readiness.ts'
import { lockSupplier, supplierSettings } from './supplier/settings.ts'
import { customerOf, customerProblems } from './customer.ts'
import { invoiceOf } from './document.ts'
import { digestOf } from './draft.ts'
import { issueDocument } from './store.ts'

export type Lines = BodyOf<typeof invoice.draftOneOff>['lines']

/**
 * Returns the invoice with the given lines as of today. A discount reduces the taxable amount of its line (section
 * 15(3)(a) of the CGST Act). The rate and tax status of today apply.
 * @throws Problem conflict if it cannot be issued
 */
export async function draftOneOff(
  db: Db,
  { id }: Pick<OrganisationInScope, 'id'>,
  lines: Lines,
): Promise<ReplyOf<typeof invoice.draftOneOff>> {
  const settings = await supplierSettings(db)
  const customer = await customerOf(db, id)
  const day = await supplierToday(db)
  const supplier = readySupplier(settings)
  const rate = rateOn(settings, day)
  const problems = [...supplierProblems(settings), ...customerProblems(customer)]
  if (rate === null && settings.rates.length > 0) problems.push('No tax rate is in force yet.')
  if (supplier === null || rate === null || problems.length > 0) throw conflict(problems.join(' '))
  const billed = lines.map(({ description, sac, amount, discount }) => {
    const discountPaise = discount === undefined ? 0 : paiseOfRupees(discount)!
    return {
      description,
      taxablePaise: paiseOfRupees(amount)! - discountPaise,
      ...(sac !== undefined && { sac }),
      ...(discountPaise > 0 && { discountPaise }),
    }
  })
  const document = invoiceOf(supplier, customer, null, billed, [], rate, day)
  if (document.totals.totalPaise === 0) throw conflict('The total is below half a rupee. Enter a larger amount.')
  return { document, digest: `${contentDigest(document)}.${await issuedOneOffs(db, id)}` }
}

/** Short enough for the number of invoices to follow in the same text. */
const contentDigest = (document: TaxDocument): string => digestOf(document).slice(0, 40)

/** Part of a draft's digest, so that one draft is issued once. */
async function issuedOneOffs(db: Db, organisation: OrganisationId): Promise<number> {
  const { count } = await db
    .selectFrom('tax_document')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'invoice')
    .where('month', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** @throws Problem conflict if settings are missing, the draft has changed, or another one was issued since */
export async function issueOneOff(
  tx: Tx,
  jobs: JobQueue,
  { id }: Pick<OrganisationInScope, 'id'>,
  { lines, digest }: Pick<BodyOf<typeof invoice.issueOneOff>, 'lines' | 'digest'>,
  by: string,
): Promise<string> {
  await lockSupplier(tx, 'use')
  await lockCharging(tx, id)
  const draft = await draftOneOff(tx, { id }, lines)
  if (draft.digest !== digest) {
    throw conflict(
      digest.startsWith(`${contentDigest(draft.document)}.`)
        ? 'Another one-off invoice was issued to this customer since you opened yours. Check that it is not the same, and review yours again.'
        : 'The invoice has changed since you opened it. Review it again.',
    )
  }
  const { invoicePrefix } = await supplierSettings(tx)
  return issueDocument(tx, jobs, { organisation: id, document: draft.document, prefix: invoicePrefix, by })
}
