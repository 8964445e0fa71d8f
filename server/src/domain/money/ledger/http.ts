import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { conflict } from '../../../core/errors.ts'
import { coverMonth, lockCharging } from '../meter/months.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'
import { accountOf } from './account.ts'
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
    const added = await addTypedEntry(tx, {
      organisation: organisation.id,
      kind: type,
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
    const { certificate, section, financialYear, quarter, amount, date } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    const added = await addTypedEntry(tx, {
      organisation: organisation.id,
      kind: 'tds',
      reference: certificate,
      particular: `TDS under section ${section}, Q${quarter} of 20${financialYear}`,
      tds: { section, year: financialYear, quarter },
      amount: paiseOfRupees(amount)!,
      date,
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} already has the TDS certificate ${certificate}.`)
    return { message: `TDS certificate ${certificate} recorded.` }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
}
