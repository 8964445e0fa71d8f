import { invoiceCancelled } from '../mail.ts'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice, TaxDocument } from '../../contract/invoice.ts'
import type { TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import {
  CANCELLATION_HOURS,
  CORRECTIONS,
  DOCUMENT_TITLES,
  isChargingDocument,
} from '@trainyard/ledger/contract/tax-document.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { lockCharging } from '@trainyard/usage/server/months.ts'
import { renderPdf } from '../pdf/document.ts'
import { selectDay, selectCancelObstacles } from '../queries.ts'
import { documentInScope } from '../read.ts'
import { registrationOnPaper } from './register.ts'

/**
 * Records that the e-invoice portal has cancelled a document, and reverses its entry, on the date of the document. A
 * trigger releases the usage that the document charged.
 * @throws Problem notFound; invalid for a date in the future; conflict with the reason why the document cannot be
 * cancelled
 */
export async function cancelDocument(
  tx: Tx,
  jobs: JobQueue,
  actor: Actor,
  { number: requested, cancelledAt, reason }: BodyOf<typeof invoice.cancel>,
): Promise<string> {
  const { id, organisation, document } = await documentInScope(tx, actor, requested)
  // Notes of an organisation are issued under this lock, so that no note is added to a document that is being cancelled.
  await lockCharging(tx, organisation.id)
  await requireCancellable(tx, id, document, cancelledAt)
  const { rows } = await selectDay(tx, cancelledAt)
  await tx
    .insertInto('e_invoice_cancellation')
    .values({
      document_id: id,
      cancelled_at: new Date(cancelledAt),
      reason,
      pdf: await renderPdf(document, await registrationOnPaper(tx, id), null, rows[0]!.day),
      recorded_by: actor.email,
    })
    .execute()
  const number = document.number!
  await addEntry(tx, {
    organisation: organisation.id,
    kind: isChargingDocument(document.kind) ? 'invoice reversal' : 'payment reversal',
    reference: `Cancellation of ${number}`,
    reverses: number,
    particular: `Cancellation of the ${DOCUMENT_TITLES[document.kind].toLowerCase()} ${number}`,
    amount: document.totals.totalPaise as Paise,
    date: document.date!,
    source: 'issued',
    by: actor.email,
  })
  await jobs.enqueue(tx, invoiceCancelled, [{ document: id }])
  return number
}

async function requireCancellable(
  tx: Tx,
  id: TaxDocumentId,
  { number, kind }: TaxDocument,
  cancelledAt: string,
): Promise<void> {
  const advice = `To correct it, ${CORRECTIONS[kind]}.`
  const { rows } = await selectCancelObstacles(tx, cancelledAt, id)
  const { isRegistered, isCancelled, isFuture, isInTime, note, isWrittenOff } = rows[0]!
  if (!isRegistered) throw conflict(`${number} is not registered at the e-invoice portal. ${advice}`)
  if (isCancelled) throw conflict(`${number} is already cancelled.`)
  if (isFuture) throw new Problem('invalid', 'cancelledAt must not be in the future.')
  if (!isInTime) {
    throw conflict(
      `The e-invoice portal cancels ${number} only within ${CANCELLATION_HOURS} hours of its registration. Check the date. ${advice}`,
    )
  }
  if (note !== null) throw conflict(`${note} refers to ${number} or to its invoice. Cancel ${note} first.`)
  if (isWrittenOff) throw conflict(`A part of ${number} is written off, so it cannot be cancelled.`)
}

/** Returns the cancellation of a document; null for a valid document. */
export async function cancellationOf(db: Db, id: TaxDocumentId): Promise<ReplyOf<typeof invoice.read>['cancellation']> {
  const row = await db
    .selectFrom('e_invoice_cancellation')
    .select(['cancelled_at', 'reason'])
    .where('document_id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { cancelledAt: row.cancelled_at.toISOString(), reason: row.reason }
}
