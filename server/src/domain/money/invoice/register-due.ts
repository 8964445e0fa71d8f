import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import { writeAudit } from '../../../core/audit.ts'
import { Problem } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { EInvoiceError, type EInvoices } from '../../../providers/e-invoices.ts'
import { IS_WITHHELD } from '../ledger/open.ts'
import { expectedIrn, registerDocument } from './register.ts'
import type { IssuedDocument } from './read.ts'

/** Documents per run. */
const BATCH = 50
const FIRST_PAUSE_SECONDS = 60
const MAX_PAUSE_SECONDS = 6 * 60 * 60
const TASK = 'register e-invoices'

interface DueDocument {
  readonly issued: IssuedDocument
  readonly form: string
}

/**
 * Registers withheld documents at the e-invoice portal, oldest first, and records the registrations. Safe to repeat and
 * to interrupt: the portal registers a document once, and returns the registration if it is requested again.
 */
export async function registerDueDocuments(
  db: Db,
  portal: Pick<EInvoices, 'register'>,
  jobs: JobQueue,
  signal: AbortSignal,
): Promise<void> {
  const documents = await dueDocuments(db)
  for (const [place, due] of documents.entries()) {
    if (signal.aborted) return
    try {
      await registerAtPortal(db, portal, jobs, due, signal)
    } catch (error) {
      if (!(error instanceof EInvoiceError)) throw error
      if (signal.aborted) return
      const concernsOne = error.kind === 'refused' || error.kind === 'untrusted'
      await recordFailure(db, concernsOne ? [due] : documents.slice(place), error)
      // The others would fail for the same reason, and repeated sign-ins can block the account.
      if (!concernsOne) return
    }
  }
}

async function registerAtPortal(
  db: Db,
  portal: Pick<EInvoices, 'register'>,
  jobs: JobQueue,
  { issued, form }: DueDocument,
  signal: AbortSignal,
): Promise<void> {
  const { document, organisation } = issued
  const [number, irn] = [document.number!, expectedIrn(issued)]
  const reply = await portal.register({ supplierGstin: document.supplier.gstin, number, irn, form }, signal)
  const registration = { ...reply, ackDate: reply.ackDate.toISOString() }
  try {
    await db.transaction().execute(async (tx) => {
      await registerDocument(tx, jobs, issued, registration, TASK)
      await writeAudit(tx, {
        call: 'invoice.register',
        requestId: randomUUID(),
        actor: null,
        organisation: organisation.id,
        request: { number, ...registration },
      })
    })
  } catch (error) {
    // A user recorded the registration in the meantime.
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error
  }
}

async function dueDocuments(db: Db): Promise<DueDocument[]> {
  const { rows } = await sql<{
    id: TaxDocumentId
    organisationId: OrganisationId
    name: string
    content: TaxDocument
    form: string
  }>`
    select d.id, d.organisation_id as "organisationId", o.name, d.content, d.e_invoice::text as form
    from tax_document d join organisation o on o.id = d.organisation_id
      left join e_invoice_attempt a on a.document_id = d.id
    where ${IS_WITHHELD} and d.e_invoice is not null and (a.next_at is null or a.next_at <= portal_now())
    order by d.issued_on, d.number limit ${BATCH}`.execute(db)
  return rows.map(({ id, organisationId, name, content, form }) => ({
    issued: {
      id,
      organisation: { id: organisationId, name },
      document: content,
      notes: [],
      debitNotes: [],
      isHeld: true,
    },
    form,
  }))
}

async function recordFailure(db: Db, documents: readonly DueDocument[], error: EInvoiceError): Promise<void> {
  await sql`insert into e_invoice_attempt (document_id, attempts, next_at, last_error)
    select id, 1, portal_now() + ${FIRST_PAUSE_SECONDS}::int * interval '1 second', ${error.message}
    from unnest(${documents.map(({ issued }) => issued.id)}::uuid[]) as id
    on conflict (document_id) do update set attempts = e_invoice_attempt.attempts + 1, last_error = excluded.last_error,
      next_at = portal_now() + least(${MAX_PAUSE_SECONDS}::int,
        ${FIRST_PAUSE_SECONDS}::int * 2 ^ least(e_invoice_attempt.attempts, 12)) * interval '1 second'`.execute(db)
}
