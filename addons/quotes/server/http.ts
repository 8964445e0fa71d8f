import { quoteMail } from './mail.ts'
import { sql } from 'kysely'
import { addDays } from '@trainyard/platform/contract/words/day.ts'
import { formatRupees, type Paise, paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { QUOTE_DAYS_MAX, UNPAID_CREDIT_MAX } from '../contract/quote-words.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import {
  lockOrganisation,
  organisationByName,
  organisationInScope,
  type OrganisationInScope,
} from '@trainyard/organisations/server/scope.ts'
import { buyPrepaidCredit, trainingOf } from '@trainyard/prepaid-credit/server/purchase.ts'
import { fileName } from '@trainyard/invoices/server/read.ts'
import { issueOneOff, type Lines } from '@trainyard/invoices/server/one-off.ts'
import { addManualEntry } from '@trainyard/ledger/server/entries.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { lockSupplier } from '@trainyard/invoices/server/supplier/settings.ts'
import { makeOffer, type Offer, validityFact } from './offer.ts'
import { selectHasPayment, selectIsValidDay, countUnpaidProformas, selectIsOnAccount } from './queries.ts'
import { listQuotes, lockQuote, paymentsOf, type QuoteInScope, sumOfPayments, totalOf } from './read.ts'

/** Days for which a quote for prepaid credit is valid. */
const CREDIT_QUOTE_DAYS = 30

export const quoteHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'quote'> => ({
  async list(db, { actor, query }) {
    const isAll = actor.role === 'superadmin' && query.organization === undefined
    const of = isAll ? null : (await organisationInScope(db, actor, query.organization)).id
    const today = await supplierToday(db)
    return { today, quotes: await listQuotes(db, of, today) }
  },

  async create(tx, { actor, body: { organization, lines, validUntil } }) {
    const customer = await organisationByName(tx, organization)
    const { id, name } = customer
    await lockOrganisation(tx, id, 'use')
    await lockSupplier(tx, 'use')
    await requireValidDay(tx, validUntil)
    const offer = await makeOffer(tx, 'quote', { id }, lines, [validityFact(validUntil)])
    const { number } = offer
    const { id: quote } = await tx
      .insertInto('quote')
      .values({
        ...rowOf(offer, lines),
        organisation_id: id,
        valid_until: validUntil,
        created_by: actor.email,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, quoteMail, [{ quote, kind: 'quote' }])
    return { message: `Quote ${number} for ${name} sent.`, number }
  },

  async decide(tx, { actor, body: { number, decision, answer = null }, auditChange }) {
    const quote = await lockQuote(tx, actor, number)
    requireState(quote, 'open')
    if (quote.valid_until < (await supplierToday(tx))) {
      throw conflict(`${number} was valid until ${quote.valid_until}. Ask for a new quote.`)
    }
    await tx
      .updateTable('quote')
      .set({ state: decision, decided_by: actor.email, decided_at: sql<Date>`portal_now()`, answer })
      .where('id', '=', quote.id)
      .execute()
    auditChange({ state: quote.state }, { state: decision, answer })
    return { message: `Quote ${number} ${decision}.` }
  },

  async withdraw(tx, { actor, body: { number }, auditChange }) {
    const quote = await lockQuote(tx, actor, number)
    if (quote.state === 'declined' || quote.state === 'withdrawn' || quote.state === 'invoiced') {
      throw conflict(`${number} is ${quote.state} and can’t be withdrawn.`)
    }
    const { rows } = await selectHasPayment(tx, quote.id)
    if (rows[0]!.found) throw conflict(`${quote.proforma} has payments. Issue the invoice and correct it instead.`)
    await tx.updateTable('quote').set({ state: 'withdrawn' }).where('id', '=', quote.id).execute()
    auditChange({ state: quote.state }, { state: 'withdrawn' })
    return { message: `Quote ${number} withdrawn.` }
  },

  async proforma(tx, { actor, body: { number }, auditChange }) {
    const quote = await lockQuote(tx, actor, number)
    requireState(quote, 'accepted')
    await lockSupplier(tx, 'use')
    const offer = await makeOffer(tx, 'proforma', { id: quote.organisation_id }, linesOf(quote), [['Quote', number]])
    await tx
      .updateTable('quote')
      .set({
        state: 'proforma',
        ...proformaRowOf(offer),
      })
      .where('id', '=', quote.id)
      .execute()
    await jobs.enqueue(tx, quoteMail, [{ quote: quote.id, kind: 'proforma' }])
    auditChange({ state: quote.state }, { state: 'proforma', proforma: offer.number })
    return { message: `Proforma invoice ${offer.number} for ${quote.name} sent.`, proforma: offer.number }
  },

  async prepaid(tx, { actor, body: { organization, trainingName, amount } }) {
    const customer = await organisationInScope(tx, actor, organization)
    const { id, name } = customer
    await lockOrganisation(tx, id, 'change')
    await lockSupplier(tx, 'use')
    const training = trainingName === undefined ? null : await trainingOf(tx, id, trainingName)
    await requireFewUnpaid(tx, customer)
    const lines = [{ description: `Prepaid credit of ${trainingName ?? name}`, amount }]
    const validUntil = addDays(await supplierToday(tx), CREDIT_QUOTE_DAYS)
    const quoted = await makeOffer(tx, 'quote', { id }, lines, [validityFact(validUntil)])
    const offer = await makeOffer(tx, 'proforma', { id }, lines, [['Quote', quoted.number]])
    const { id: quote } = await tx
      .insertInto('quote')
      .values({
        ...rowOf(quoted, lines),
        organisation_id: id,
        valid_until: validUntil,
        created_by: actor.email,
        state: 'proforma',
        decided_by: actor.email,
        decided_at: sql<Date>`portal_now()`,
        ...proformaRowOf(offer),
        prepaid: true,
        prepaid_training: training,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, quoteMail, [{ quote, kind: 'proforma' }])
    const total = formatRupees(rupeesOfPaise(totalOf(offer.document) as Paise))
    return {
      message: `Proforma invoice ${offer.number} for ${total} sent. ${trainingName ?? name} has the credit when it is paid.`,
      number: quoted.number,
      proforma: offer.number,
    }
  },

  async pay(tx, { actor, body: { number, id, amount, date }, auditChange }) {
    const quote = await lockQuote(tx, actor, number)
    requireState(quote, 'proforma')
    const organisation = await organisationByName(tx, quote.name)
    await lockOrganisation(tx, organisation.id, 'change')
    let bought = ''
    if (amount === undefined || date === undefined) {
      if (quote.prepaid) throw conflict(ALREADY_ON_ACCOUNT)
      await requirePaymentOnAccount(tx, quote, id)
    } else {
      const entered = paiseOfRupees(amount)!
      const added = await addManualEntry(tx, {
        organisation: organisation.id,
        kind: 'payment',
        reference: id,
        particular: `Payment for ${quote.proforma}`,
        amount: entered,
        date,
        by: actor.email,
      })
      if (!added) throw conflict(`${quote.name} already has the payment ${id}.`)
      const of = { organisation: organisation.id, training: quote.prepaid_training }
      if (quote.prepaid) bought = await buyPrepaidCredit(tx, of, { payment: id, amount: entered })
    }
    const linked = await tx
      .insertInto('proforma_payment')
      .values({ organisation_id: organisation.id, payment: id, quote_id: quote.id, recorded_by: actor.email })
      .onConflict((on) => on.doNothing())
      .returning('payment')
      .executeTakeFirst()
    if (linked === undefined) throw conflict(`Payment ${id} is for a proforma invoice already.`)
    const paid = sumOfPayments(await paymentsOf(tx, [quote.id]))
    auditChange(null, { proforma: quote.proforma, payment: id, paidPaise: paid })
    const total = formatRupees(rupeesOfPaise(paid as Paise))
    if (quote.prepaid) return { message: `${bought} ${quote.proforma} has ${total} in payments now.` }
    return { message: `Payment ${id} recorded for ${quote.proforma}. It has ${total} in payments now.` }
  },

  async issue(tx, { actor, body: { number, digest }, auditChange }) {
    const quote = await lockQuote(tx, actor, number)
    requireState(quote, 'proforma')
    if (quote.prepaid) {
      throw conflict(`${quote.proforma} is for prepaid credit. The usage that consumes it is invoiced every month.`)
    }
    const lines = linesOf(quote)
    const invoice = await issueOneOff(tx, jobs, { id: quote.organisation_id }, { lines, digest }, actor.email)
    await tx.updateTable('quote').set({ state: 'invoiced', invoice }).where('id', '=', quote.id).execute()
    auditChange({ state: quote.state, proforma: quote.proforma }, { state: 'invoiced', invoice })
    return { message: `Invoice ${invoice} for ${quote.name} issued.`, invoice }
  },

  async pdf(tx, { actor, body: { number } }) {
    const found = await tx
      .selectFrom('quote')
      .select(number.startsWith('Q') ? 'pdf' : 'proforma_pdf as pdf')
      .where(number.startsWith('Q') ? 'number' : 'proforma', '=', number)
      .$if(actor.role !== 'superadmin', (query) =>
        query.where('organisation_id', '=', actor.organisation?.id ?? (null as never)),
      )
      .executeTakeFirst()
    if (found?.pdf === undefined || found.pdf === null) throw notFound('quote')
    return { name: fileName(number, 'pdf'), type: 'application/pdf', content: [found.pdf] }
  },
})

const ALREADY_ON_ACCOUNT =
  'A payment that is already in the ledger cannot buy prepaid credit. Reverse or refund it, then record it with amount and date.'

const rowOf = ({ number, date, document, pdf }: Offer, lines: Lines) => ({
  number,
  issued_on: date,
  lines: JSON.stringify(lines),
  content: JSON.stringify(document),
  pdf,
})

const proformaRowOf = ({ number, date, document, pdf }: Offer) => ({
  proforma: number,
  proforma_on: date,
  proforma_content: JSON.stringify(document),
  proforma_pdf: pdf,
})

const linesOf = ({ lines }: Pick<QuoteInScope, 'lines'>): Lines => lines as Lines

/** @throws Problem conflict with the current state, of which two concurrent requests see one */
function requireState(
  { number, state, invoice, proforma }: QuoteInScope,
  wanted: 'open' | 'accepted' | 'proforma',
): void {
  if (state === wanted) return
  const why = {
    open: 'is not answered yet',
    accepted: wanted === 'open' ? 'is accepted already' : 'has no proforma invoice yet',
    declined: 'is declined',
    withdrawn: 'is withdrawn',
    proforma: `has the proforma invoice ${proforma} already`,
    invoiced: `is invoiced with ${invoice} already`,
  }[state]
  throw conflict(`${number} ${why}.`)
}

async function requireValidDay(tx: Tx, day: string): Promise<void> {
  const { rows } = await selectIsValidDay(tx, day)
  if (!rows[0]!.valid)
    throw conflict(`A quote is valid until a day from today on, at most ${QUOTE_DAYS_MAX} days ahead.`)
}

/**
 * Limits the number of unpaid proforma invoices for credit, because admins can make them. The caller holds the
 * organisation's lock.
 * @throws Problem conflict
 */
async function requireFewUnpaid(tx: Tx, { id, name }: Pick<OrganisationInScope, 'id' | 'name'>): Promise<void> {
  const { rows } = await countUnpaidProformas(tx, id)
  if (rows[0]!.count < UNPAID_CREDIT_MAX) return
  throw conflict(
    `${name} has ${UNPAID_CREDIT_MAX} proforma invoices for prepaid credit that are not paid. Pay one, or ask the supplier to withdraw one.`,
  )
}

/** @throws Problem notFound, or conflict if the payment settles an invoice or was reversed or refunded */
async function requirePaymentOnAccount(tx: Tx, { organisation_id }: QuoteInScope, payment: string): Promise<void> {
  await lockCharging(tx, organisation_id)
  const { rows } = await selectIsOnAccount(tx, organisation_id, payment)
  if (rows[0] === undefined) throw notFound('payment')
  if (!rows[0].isFree) throw conflict(`Payment ${payment} is for an invoice, or was reversed or refunded.`)
}
