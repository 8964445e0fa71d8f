import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice as calls } from '../contract/invoice.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { taxCreditUntil } from '@trainyard/ledger/contract/tax-document.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { lockSupplier, supplierSettings } from './supplier/settings.ts'
import {
  type CreditedAmount,
  creditedItems,
  creditNoteOf,
  debitNoteOf,
  financialCreditNoteOf,
  withDebits,
} from './credit-note.ts'
import { cancelDocument, cancellationOf } from './e-invoice/cancel.ts'
import { billingOf, changeCustomer, customerOf } from './customer.ts'
import { jsonFile, pdfFile } from './files.ts'
import { issueInvoice } from './issue.ts'
import { draftInvoice, previewOf } from './preview.ts'
import { draftOneOff, issueOneOff } from './one-off.ts'
import { documentInScope, type IssuedDocument, listDocuments } from './read.ts'
import { expectedIrn, registerDocument, registrationOf } from './e-invoice/register.ts'
import { issueDocument } from './store.ts'

export const invoiceHandlers = (jobs: JobQueue): HandlersOf<'invoice'> => ({
  async customer(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return billingOf(await customerOf(db, id))
  },

  async changeCustomer(tx, { actor, body: { organization, ...changes }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await lockOrganisation(tx, id, 'change')
    const before = billingOf(await customerOf(tx, id))
    await changeCustomer(tx, actor, id, changes)
    auditChange(before, billingOf(await customerOf(tx, id)))
    return { message: `Billing settings of ${name} saved.` }
  },

  preview: (db, { query }) => previewOf(db, query.month),

  async draft(db, { query }) {
    return draftInvoice(db, await organisationByName(db, query.organization), query.month)
  },

  async issue(tx, { actor, body }) {
    const { id, name } = await organisationByName(tx, body.organization)
    const number = await issueInvoice(tx, jobs, {
      organisation: id,
      month: body.month,
      digest: body.digest,
      by: actor.email,
    })
    return { message: `Invoice ${number} for ${name} issued.`, number }
  },

  async list(db, { actor, query }) {
    const isAll = actor.role === 'superadmin' && query.organization === undefined
    const of = isAll ? null : (await organisationInScope(db, actor, query.organization)).id
    return listDocuments(db, of, query.before, actor.role === 'superadmin')
  },

  async read(db, { actor, query }) {
    const issued = await documentInScope(db, actor, query.number)
    const { organisation, document, notes, debitNotes } = issued
    const credited = creditedItems(document, notes).map(({ taxablePaise }) => taxablePaise)
    return {
      organization: organisation.name,
      document,
      credited: {
        items: credited,
        totalPaise: notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0),
      },
      notes: notes.map(({ number }) => number!),
      debitNotes: debitNotes.map(({ number }) => number!),
      leftPaise: withDebits(document, debitNotes).items.map(
        ({ taxablePaise }, index) => taxablePaise - credited[index]!,
      ),
      taxCreditUntil: document.kind === 'invoice' ? taxCreditUntil(document.date!) : null,
      registration: await registrationOf(db, issued.id),
      expectedIrn: expectedIrn(issued),
      cancellation: await cancellationOf(db, issued.id),
    }
  },

  async credit(tx, { actor, body }) {
    const { id, document, notes, debitNotes, organisation } = await invoiceToCorrect(tx, actor, body.number)
    const { creditNotePrefix, financialNotePrefix } = await supplierSettings(tx)
    const credits = partsOf(body)
    const isTaxed = (await supplierToday(tx)) <= taxCreditUntil(document.date!)
    const number = await issueDocument(tx, jobs, {
      organisation: organisation.id,
      document: (isTaxed ? creditNoteOf : financialCreditNoteOf)(
        withDebits(document, debitNotes),
        notes,
        credits,
        body.reason,
      ),
      prefix: isTaxed ? creditNotePrefix : financialNotePrefix,
      ofDocument: id,
      by: actor.email,
    })
    const title = isTaxed ? 'Credit note' : 'Financial credit note'
    return { message: `${title} ${number} against ${document.number} issued.`, number }
  },

  async debit(tx, { actor, body }) {
    const { id, document, debitNotes, organisation } = await invoiceToCorrect(tx, actor, body.number)
    const debits = partsOf(body)
    const { debitNotePrefix } = await supplierSettings(tx)
    const number = await issueDocument(tx, jobs, {
      organisation: organisation.id,
      document: debitNoteOf(document, debitNotes, debits, body.reason),
      prefix: debitNotePrefix,
      ofDocument: id,
      by: actor.email,
    })
    return { message: `Debit note ${number} against ${document.number} issued.`, number }
  },

  async draftOneOff(db, { body }) {
    return draftOneOff(db, await organisationByName(db, body.organization), body.lines)
  },

  async issueOneOff(tx, { actor, body }) {
    const organisation = await organisationByName(tx, body.organization)
    const number = await issueOneOff(tx, jobs, organisation, body, actor.email)
    return { message: `Invoice ${number} for ${organisation.name} issued.`, number }
  },

  async register(tx, { actor, body: { number, ...registration } }) {
    const issued = await documentInScope(tx, actor, number)
    await registerDocument(tx, jobs, issued, registration, actor.email)
    return { message: `${issued.document.number} registered.` }
  },

  async cancel(tx, { actor, body }) {
    const number = await cancelDocument(tx, jobs, actor, body)
    return { message: `${number} is cancelled.` }
  },

  async pdf(tx, { actor, body }) {
    return pdfFile(tx, await documentInScope(tx, actor, body.number))
  },

  async json(tx, { actor, body }) {
    return jsonFile(tx, await documentInScope(tx, actor, body.number))
  },
})

/**
 * Returns the invoice that a credit or debit note corrects. Serialises the notes of an organisation, so that each takes
 * account of those before it.
 * @throws Problem notFound, or conflict if the document cannot be corrected
 */
async function invoiceToCorrect(tx: Tx, actor: Actor, number: string): Promise<IssuedDocument> {
  await lockSupplier(tx, 'use')
  const { organisation } = await documentInScope(tx, actor, number)
  await lockCharging(tx, organisation.id)
  const issued = await documentInScope(tx, actor, number)
  if (issued.document.kind !== 'invoice')
    throw conflict('Credit and debit notes can be issued only against an invoice.')
  if ((await cancellationOf(tx, issued.id)) !== null) throw conflict(`${issued.document.number} is cancelled.`)
  const { gstin } = await supplierSettings(tx)
  if (gstin !== issued.document.supplier.gstin) {
    throw conflict('The invoice was issued under another GST number. Its notes must have the same GST number.')
  }
  return issued
}

const partsOf = ({ items }: BodyOf<typeof calls.credit>): CreditedAmount[] =>
  items.map(({ item, amount }) => ({ item, paise: paiseOfRupees(amount)! }))
