import type { BodyOf } from '@trainyard/contract/call.ts'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { ledger } from '@trainyard/contract/calls/ledger.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, type Paise, paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import { coverMonth, lockCharging, supplierToday } from '../meter/months.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'
import { accountOf } from './account.ts'
import { reverseEntry, reversibleEntries, writeOff } from './corrections.ts'
import { addDeduction, certifyDeductions, deductions, isCertificateOfReceipt, tdsParticular } from './deductions.ts'
import { ageing, openInvoices } from './open.ts'
import { settledBy } from './settled-by.ts'
import { addManualEntry } from './entries.ts'
import { trialBalance } from './trial-balance.ts'
import { ledgerSummary } from './summary.ts'

const PARTICULARS = { invoice: 'Invoice', payment: 'Payment received' } as const

interface LedgerDependencies {
  /** Returns an invoice as a tax document. @throws Problem conflict */
  readonly enteredInvoice: (
    db: Db,
    organisation: OrganisationId,
    entered: { readonly id: string; readonly date: string; readonly amount: Paise },
    tax: NonNullable<BodyOf<typeof ledger.add>['tax']>,
  ) => Promise<TaxDocument>
}

export const ledgerHandlers = ({ enteredInvoice }: LedgerDependencies): HandlersOf<'ledger'> => ({
  summary: (db) => ledgerSummary(db),

  async add(tx, { actor, body }) {
    const { type, id, date } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    // Locked before the entry is added: issuing an invoice takes the locks in the same order.
    if (body.covers !== undefined) await lockCharging(tx, organisation.id)
    const amount = paiseOfRupees(body.amount)!
    const deducted = body.tds === undefined ? 0 : paiseOfRupees(body.tds.amount)!
    const payment = amount + deducted
    const settles = type === 'payment' ? await settledBy(tx, organisation, body.settles, payment, 'supplier') : null
    const document = body.tax && (await enteredInvoice(tx, organisation.id, { id, date, amount }, body.tax))
    const added = await addManualEntry(tx, {
      organisation: organisation.id,
      kind: type,
      settles,
      reference: id,
      particular: PARTICULARS[type],
      amount,
      date,
      ...(document && { document }),
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} already has the ${type} ${id}.`)
    if (body.covers !== undefined) await coverMonth(tx, organisation, body.covers, id)
    if (body.tds !== undefined) {
      await addDeduction(tx, actor, organisation, { payment: id, date, settles, ...body.tds })
      return { message: `Payment ${id} and TDS of ${formatRupees(body.tds.amount)} recorded.` }
    }
    return { message: type === 'invoice' ? `Invoice ${id} added.` : `Payment ${id} recorded.` }
  },

  async addTds(tx, { actor, body }) {
    const { certificate, section, financialYear, quarter, amount, date, settles } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    const paise = paiseOfRupees(amount)!
    const isCertified = await isCertificateOfReceipt(tx, organisation.id, certificate)
    const added =
      !isCertified &&
      (await addManualEntry(tx, {
        organisation: organisation.id,
        kind: 'tds',
        reference: certificate,
        particular: tdsParticular(section, financialYear, quarter),
        settles: await settledBy(tx, organisation, settles, paise, 'supplier'),
        tds: { section, year: financialYear, quarter },
        amount: paise,
        date,
        by: actor.email,
      }))
    if (!added) throw conflict(`${organisation.name} already has the TDS certificate ${certificate}.`)
    return { message: `TDS certificate ${certificate} recorded.` }
  },

  async tdsReceipts(db, { query }) {
    const { id } = await organisationByName(db, query.organization)
    return { receipts: await deductions(db, id) }
  },

  async certifyTds(tx, { actor, body }) {
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    await certifyDeductions(tx, actor, organisation, body)
    return { message: `TDS certificate ${body.certificate} recorded.` }
  },

  async reverse(tx, { actor, body }) {
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    // A reversed invoice makes the usage that it covered chargeable again.
    await lockCharging(tx, organisation.id)
    return { message: await reverseEntry(tx, actor, organisation, body) }
  },

  async writeOff(tx, { actor, body }) {
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    await lockCharging(tx, organisation.id)
    return { message: await writeOff(tx, actor, organisation, body, await supplierToday(tx)) }
  },

  async reversible(db, { query }) {
    const { id } = await organisationByName(db, query.organization)
    return { entries: await reversibleEntries(db, id) }
  },

  trialBalance: (db, { query }) => trialBalance(db, query.on),

  async ageing(db) {
    return { rows: await ageing(db, await supplierToday(db)) }
  },

  async open(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const found = await openInvoices(db, await supplierToday(db), { organisation: id, most: 500 })
    return {
      invoices: found
        .filter(({ isHeld }) => !isHeld || actor.role === 'superadmin')
        .map(({ invoice, date, dueOn, amount, open, isHeld }) => ({
          invoice,
          date,
          dueOn,
          amountPaise: amount,
          openPaise: open,
          withheld: isHeld,
        })),
    }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
})
