import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { invoice, TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import {
  CANCELLATION_REMARK_LENGTH,
  CANCELLATION_RESULT_HOURS,
  type CancellationReason,
  DOCUMENT_TITLES,
  isChargingDocument,
} from '@trainyard/contract/words/tax-document.ts'
import type { Actor } from '../../../core/actor.ts'
import { writeAudit } from '../../../core/audit.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { EInvoiceError, type EInvoices } from '../../../providers/e-invoices.ts'
import { addEntry } from '../ledger/entries.ts'
import { lockCharging, supplierToday } from '../meter/months.ts'
import { renderPdf } from './pdf/document.ts'
import { documentInScope } from './read.ts'
import { registrationOnPaper } from './register.ts'

/** Cancellations per run. */
const BATCH = 50
const FIRST_PAUSE_SECONDS = 60
/** The portal cancels a document for a few hours only, so that long pauses could miss the end. */
const MAX_PAUSE_SECONDS = 15 * 60
/** Repeated rejected sign-ins can block the account. */
const MAX_SIGN_IN_PAUSE_SECONDS = 6 * 60 * 60
const TASK = 'register e-invoices'

interface DueCancellation {
  readonly id: TaxDocumentId
  readonly organisation: OrganisationId
  readonly document: TaxDocument
  readonly irn: string
  readonly reason: CancellationReason
  readonly remark: string
  /** True once a superadmin may record the result. */
  readonly isOverdue: boolean
}

/**
 * Sends the requested cancellations to the e-invoice portal, and reverses the entries of the cancelled documents. Safe to
 * repeat and to interrupt: the portal cancels a registration once, and reports a repeated request as already cancelled.
 */
export async function cancelDueDocuments(
  db: Db,
  portal: Pick<EInvoices, 'cancel'>,
  jobs: JobQueue,
  signal: AbortSignal,
): Promise<void> {
  const cancellations = await dueCancellations(db)
  for (const [place, due] of cancellations.entries()) {
    if (signal.aborted) return
    const { id, document, irn, reason, remark } = due
    try {
      await portal.cancel({ supplierGstin: document.supplier.gstin, irn, reason, remark }, signal)
      await db.transaction().execute((tx) => recordCancelled(tx, jobs, due, TASK))
    } catch (error) {
      if (!(error instanceof EInvoiceError)) throw error
      if (signal.aborted) return
      if (error.kind === 'expired') {
        await db.transaction().execute((tx) => recordRefused(tx, due, error.message))
        continue
      }
      const concernsOne = error.kind === 'refused' || error.kind === 'untrusted'
      await recordFailure(db, concernsOne ? [id] : cancellations.slice(place).map((each) => each.id), error)
      // The others would fail for the same reason, and repeated sign-ins can block the account.
      if (!concernsOne) return
    }
  }
}

/**
 * Records the result of a cancellation that the e-invoice portal has neither confirmed nor refused, for example because
 * its credentials were revoked.
 * @throws Problem conflict if no cancellation of the document is requested, or if the portal can still answer
 */
export async function recordCancellationResult(
  tx: Tx,
  jobs: JobQueue,
  actor: Actor,
  { number, result }: BodyOf<typeof invoice.recordCancellation>,
): Promise<void> {
  const { id, organisation } = await documentInScope(tx, actor, number)
  await lockCharging(tx, organisation.id)
  // The worker can end the cancellation at the same time.
  await sql`select from e_invoice_cancellation where document_id = ${id} for update`.execute(tx)
  const [requested] = await requestedCancellations(tx, sql`c.document_id = ${id}`)
  if (requested === undefined) throw conflict(`${number} has no cancellation without a result.`)
  if (!requested.isOverdue) {
    throw conflict(
      `The e-invoice portal can still answer. Record the result ${CANCELLATION_RESULT_HOURS} hours after the request.`,
    )
  }
  if (result === 'cancelled') await recordCancelled(tx, jobs, requested, actor.email)
  else await recordRefused(tx, requested, 'The website of the e-invoice portal shows the document as valid.')
}

const dueCancellations = (db: Db): Promise<DueCancellation[]> =>
  requestedCancellations(db, sql`c.next_at <= portal_now()`)

/** @param condition condition for the alias `c` of the cancellation */
async function requestedCancellations(db: Db, condition: RawBuilder<unknown>): Promise<DueCancellation[]> {
  const { rows } = await sql<DueCancellation>`
    select d.id, d.organisation_id as organisation, d.content as document, r.irn, c.reason,
      left(c.remark, ${CANCELLATION_REMARK_LENGTH}::int) as remark,
      c.requested_at + ${CANCELLATION_RESULT_HOURS}::int * interval '1 hour' <= portal_now() as "isOverdue"
    from e_invoice_cancellation c join tax_document_registration r using (document_id)
      join tax_document d on d.id = c.document_id
    where c.state = 'cancelling' and ${condition}
    order by r.ack_date, d.number limit ${BATCH}`.execute(db)
  return rows
}

/**
 * Marks a document as cancelled and reverses its entry, on the date of the document. A trigger releases the usage that
 * the document charged. Does nothing if another worker has recorded the end of the cancellation.
 */
async function recordCancelled(tx: Tx, jobs: JobQueue, due: DueCancellation, by: string): Promise<void> {
  const { id, organisation, document } = due
  await lockCharging(tx, organisation)
  const today = await supplierToday(tx)
  const ended = await tx
    .updateTable('e_invoice_cancellation')
    .set({
      state: 'cancelled',
      ended_at: sql<Date>`portal_now()`,
      last_error: null,
      pdf: await renderPdf(document, await registrationOnPaper(tx, id), null, today),
    })
    .where('document_id', '=', id)
    .where('state', '=', 'cancelling')
    .returning('document_id')
    .executeTakeFirst()
  if (ended === undefined) return
  const number = document.number!
  await addEntry(tx, {
    organisation,
    kind: isChargingDocument(document.kind) ? 'invoice reversal' : 'payment reversal',
    reference: `Cancellation of ${number}`,
    reverses: number,
    particular: `Cancellation of the ${DOCUMENT_TITLES[document.kind].toLowerCase()} ${number}`,
    amount: document.totals.totalPaise as Paise,
    date: document.date!,
    source: 'issued',
    by,
  })
  await jobs.enqueue(tx, 'invoice.cancelled', [{ document: id }])
  await recordAudit(tx, 'invoice.cancelled', due, {})
}

async function recordRefused(tx: Tx, due: DueCancellation, problem: string): Promise<void> {
  const ended = await tx
    .updateTable('e_invoice_cancellation')
    .set({ state: 'refused', ended_at: sql<Date>`portal_now()`, last_error: problem })
    .where('document_id', '=', due.id)
    .where('state', '=', 'cancelling')
    .returning('document_id')
    .executeTakeFirst()
  if (ended !== undefined) await recordAudit(tx, 'invoice.cancelRefused', due, { problem })
}

const recordAudit = (
  tx: Tx,
  call: 'invoice.cancelled' | 'invoice.cancelRefused',
  { organisation, document, reason }: DueCancellation,
  more: Record<string, unknown>,
): Promise<void> =>
  writeAudit(tx, {
    call,
    requestId: randomUUID(),
    actor: null,
    organisation,
    request: { number: document.number, reason, ...more },
  })

async function recordFailure(db: Db, documents: readonly TaxDocumentId[], error: EInvoiceError): Promise<void> {
  const longest = error.kind === 'unauthorised' ? MAX_SIGN_IN_PAUSE_SECONDS : MAX_PAUSE_SECONDS
  await sql`update e_invoice_cancellation set attempts = attempts + 1, last_error = ${error.message},
      next_at = portal_now()
        + least(${longest}::int, ${FIRST_PAUSE_SECONDS}::int * 2 ^ least(attempts, 12)) * interval '1 second'
    where document_id = any(${documents}::uuid[]) and state = 'cancelling'`.execute(db)
}
