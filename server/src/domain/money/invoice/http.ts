import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import { taxCreditUntil } from '@trainyard/contract/words/tax-document.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { conflict } from '../../../core/errors.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { lockCharging, supplierToday } from '../meter/months.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'
import { lockSupplier, supplierSettings } from '../supplier/settings.ts'
import { creditedItems, creditNoteOf, financialCreditNoteOf } from './credit.ts'
import { billingOf, changeCustomer, customerOf } from './customer.ts'
import { jsonFile, pdfFile } from './files.ts'
import { issueInvoice } from './issue.ts'
import { draftInvoice, previewOf } from './preview.ts'
import { documentInScope, listDocuments } from './read.ts'
import { expectedIrn, registerDocument, registrationOf } from './register.ts'
import { issueDocument } from './store.ts'

export const invoiceHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'invoice'> => ({
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
    const { organisation, document, notes } = issued
    return {
      organization: organisation.name,
      document,
      credited: {
        items: creditedItems(document, notes).map(({ taxablePaise }) => taxablePaise),
        totalPaise: notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0),
      },
      notes: notes.map(({ number }) => number!),
      taxCreditUntil: document.kind === 'invoice' ? taxCreditUntil(document.date!) : null,
      registration: await registrationOf(db, issued.id),
      expectedIrn: expectedIrn(issued),
    }
  },

  async credit(tx, { actor, body }) {
    await lockSupplier(tx, 'use')
    const { organisation: customer } = await documentInScope(tx, actor, body.number)
    // Serialises credit notes of an organisation, so that each is limited by those before it.
    await lockCharging(tx, customer.id)
    const { id, document, notes, organisation } = await documentInScope(tx, actor, body.number)
    if (document.kind !== 'invoice') throw conflict('A credit note can be issued only against an invoice.')
    const { gstin, creditNotePrefix, financialNotePrefix } = await supplierSettings(tx)
    if (gstin !== document.supplier.gstin) {
      throw conflict('The invoice was issued under another GST number. Its credit notes must have the same GST number.')
    }
    const credits = body.items.map(({ item, amount }) => ({ item, paise: paiseOfRupees(amount)! }))
    const isTaxed = (await supplierToday(tx)) <= taxCreditUntil(document.date!)
    const number = await issueDocument(tx, jobs, {
      organisation: organisation.id,
      document: (isTaxed ? creditNoteOf : financialCreditNoteOf)(document, notes, credits, body.reason),
      prefix: isTaxed ? creditNotePrefix : financialNotePrefix,
      ofDocument: id,
      by: actor.email,
    })
    const title = isTaxed ? 'Credit note' : 'Financial credit note'
    return { message: `${title} ${number} against ${document.number} issued.`, number }
  },

  async register(tx, { actor, body: { number, ...registration } }) {
    const issued = await documentInScope(tx, actor, number)
    await registerDocument(tx, jobs, issued, registration, actor.email)
    return { message: `${issued.document.number} registered.` }
  },

  async pdf(tx, { actor, body }) {
    return pdfFile(tx, await documentInScope(tx, actor, body.number))
  },

  async json(tx, { actor, body }) {
    return jsonFile(tx, await documentInScope(tx, actor, body.number))
  },
})
