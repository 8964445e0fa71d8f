import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { conflict } from '../../../core/errors.ts'
import { coverMonth, lockCharging, supplierToday } from '../meter/months.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'
import { accountOf } from './account.ts'
import { reverseEntry, reversibleEntries, writeOff } from './corrections.ts'
import { ageing, openInvoices } from './open.ts'
import { settledBy } from './settles.ts'
import { addTypedEntry } from './entries.ts'
import { ledgerSummary } from './summary.ts'

const PARTICULARS = { invoice: 'Invoice', payment: 'Payment received' } as const

export const ledgerHandlers: HandlersOf<'ledger'> = {
  summary: (db) => ledgerSummary(db),

  async add(tx, { actor, body }) {
    const { type, id, date } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    // Locked before the entry is added: issuing an invoice takes the locks in the same order.
    if (body.covers !== undefined) await lockCharging(tx, organisation.id)
    const settles =
      type === 'payment' ? await settledBy(tx, organisation, body.settles, paiseOfRupees(body.amount)!) : null
    const added = await addTypedEntry(tx, {
      organisation: organisation.id,
      kind: type,
      settles,
      reference: id,
      particular: PARTICULARS[type],
      amount: paiseOfRupees(body.amount)!,
      date,
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} already has the ${type} ${id}.`)
    if (body.covers !== undefined) await coverMonth(tx, organisation, body.covers, id)
    return { message: type === 'invoice' ? `Invoice ${id} added.` : `Payment ${id} recorded.` }
  },

  async addTds(tx, { actor, body }) {
    const { certificate, section, financialYear, quarter, amount, date, settles } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    const added = await addTypedEntry(tx, {
      organisation: organisation.id,
      kind: 'tds',
      reference: certificate,
      particular: `TDS under section ${section}, Q${quarter} of 20${financialYear}`,
      settles: settles === undefined ? null : await settledBy(tx, organisation, settles, paiseOfRupees(amount)!),
      tds: { section, year: financialYear, quarter },
      amount: paiseOfRupees(amount)!,
      date,
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} already has the TDS certificate ${certificate}.`)
    return { message: `TDS certificate ${certificate} recorded.` }
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

  async ageing(db) {
    return { rows: await ageing(db, await supplierToday(db)) }
  },

  async open(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const found = await openInvoices(db, await supplierToday(db), { organisation: id, most: 500 })
    return {
      invoices: found
        .filter(({ isHeld }) => !isHeld || actor.role === 'superadmin')
        .map(({ invoice, date, dueOn, amount, open }) => ({
          invoice,
          date,
          dueOn,
          amountPaise: amount,
          openPaise: open,
        })),
    }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
}
