import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice, TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import { CANCELLATION_HOURS, type CancellationState, CORRECTIONS } from '@trainyard/contract/words/tax-document.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { lockCharging } from '../meter/months.ts'
import { lockSupplier } from '../supplier/settings.ts'
import { documentInScope } from './read.ts'

interface CancellationRow {
  readonly state: CancellationState
  readonly reason: NonNullable<ReplyOf<typeof invoice.read>['cancellation']>['reason']
  readonly remark: string
  readonly requested_at: Date
  readonly ended_at: Date | null
  readonly last_error: string | null
}

/**
 * Requests the cancellation of a document at the e-invoice portal. The worker sends the request.
 * @throws Problem notFound, or conflict with the reason why the document cannot be cancelled
 */
export async function requestCancellation(
  tx: Tx,
  actor: Actor,
  { number, reason, remark }: BodyOf<typeof invoice.cancel>,
  isConnected: boolean,
): Promise<string> {
  await lockSupplier(tx, 'use')
  const { organisation } = await documentInScope(tx, actor, number)
  // Notes of an organisation are issued under this lock, so that no note is added to a document that is being cancelled.
  await lockCharging(tx, organisation.id)
  const { id, document } = await documentInScope(tx, actor, number)
  await requireCancellable(tx, id, document, isConnected)
  await tx
    .insertInto('e_invoice_cancellation')
    .values({ document_id: id, reason, remark, requested_by: actor.email, last_error: null, ended_at: null, pdf: null })
    .execute()
  return document.number!
}

async function requireCancellable(
  tx: Tx,
  id: TaxDocumentId,
  { number: issued, kind }: Pick<TaxDocument, 'number' | 'kind'>,
  isConnected: boolean,
): Promise<void> {
  const number = issued!
  const advice = `To correct it, ${CORRECTIONS[kind]}.`
  const until = await registeredUntil(tx, id)
  if (until === null) throw conflict(`${number} is not registered at the e-invoice portal. ${advice}`)
  const cancellation = await cancellationRow(tx, id)
  if (cancellation !== null) throw conflict(REQUESTED[cancellation.state](number, advice))
  if (!isConnected) {
    throw conflict(
      `This portal is not connected to the e-invoice portal, so it cannot cancel ${number}. Connect it with the EINVOICE settings, or ${CORRECTIONS[kind]}.`,
    )
  }
  if (!until.isOpen) {
    throw conflict(
      `${number} was registered more than ${CANCELLATION_HOURS} hours ago, and the e-invoice portal no longer cancels it. ${advice}`,
    )
  }
  const { rows } = await sql<{ note: string | null; isWrittenOff: boolean }>`
    select note_that_depends_on(d.id) as note, exists (select from ledger_entry e
      where e.organisation_id = d.organisation_id and e.kind = 'write-off' and e.settles = d.number) as "isWrittenOff"
    from tax_document d where d.id = ${id}`.execute(tx)
  const { note, isWrittenOff } = rows[0]!
  if (note !== null) throw conflict(`${note} refers to ${number} or to its invoice. Cancel ${note} first.`)
  if (isWrittenOff) throw conflict(`A part of ${number} is written off, so it cannot be cancelled.`)
}

const REQUESTED: Readonly<Record<CancellationState, (number: string, advice: string) => string>> = {
  cancelling: (number) => `The cancellation of ${number} is already requested.`,
  cancelled: (number) => `${number} is already cancelled.`,
  refused: (number, advice) => `The e-invoice portal refused to cancel ${number}. ${advice}`,
}

/** @throws Problem conflict if a document, or a note of it, is cancelled or is being cancelled */
export async function requireNotCancelled(tx: Tx, id: TaxDocumentId, number: string): Promise<void> {
  const { rows } = await sql<{ number: string; state: CancellationState }>`
    select d.number, c.state from e_invoice_cancellation c join tax_document d on d.id = c.document_id
    where (d.id = ${id} and c.state <> 'refused') or (d.of_document = ${id} and c.state = 'cancelling')
    order by d.id = ${id} desc limit 1`.execute(tx)
  const [found] = rows
  if (found === undefined) return
  if (found.state === 'cancelled') throw conflict(`${number} is cancelled.`)
  throw conflict(`The cancellation of ${found.number} is requested. Wait until the e-invoice portal has decided.`)
}

type Shown = Pick<ReplyOf<typeof invoice.read>, 'cancellation' | 'cancelUntil'>

/** Returns the cancellation of a document. Customers receive only a confirmed one, without remark and problem. */
export async function cancellationOf(db: Db, actor: Actor, id: TaxDocumentId, isConnected: boolean): Promise<Shown> {
  const isSupplier = actor.role === 'superadmin'
  const row = await cancellationRow(db, id)
  const until = isSupplier && isConnected && row === null ? await registeredUntil(db, id) : null
  const cancelUntil = until !== null && until.isOpen ? until.at.toISOString() : null
  if (row === null || (!isSupplier && row.state !== 'cancelled')) return { cancellation: null, cancelUntil }
  const cancellation = {
    state: row.state,
    reason: row.reason,
    requestedAt: row.requested_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    remark: isSupplier ? row.remark : null,
    problem: isSupplier ? row.last_error : null,
  }
  return { cancellation, cancelUntil }
}

async function cancellationRow(db: Db, id: TaxDocumentId): Promise<CancellationRow | null> {
  const row = await db
    .selectFrom('e_invoice_cancellation')
    .select(['state', 'reason', 'remark', 'requested_at', 'ended_at', 'last_error'])
    .where('document_id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Returns until when the portal cancels a registration; null for a document without registration. */
async function registeredUntil(
  db: Db,
  id: TaxDocumentId,
): Promise<{ readonly at: Date; readonly isOpen: boolean } | null> {
  const { rows } = await sql<{ at: Date; isOpen: boolean }>`
    select until.at, until.at > portal_now() as "isOpen"
    from tax_document_registration r
      cross join lateral (select r.ack_date + ${CANCELLATION_HOURS}::int * interval '1 hour' as at) as until
    where r.document_id = ${id}`.execute(db)
  return rows[0] ?? null
}
