import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { conflict } from '../../core/errors.ts'
import { coverMonth, holdCharging } from '../meter/months.ts'
import { holdOrganisation, organisationInScope, organisationNamed } from '../organisation/scope.ts'
import { accountOf } from './account.ts'
import { addEntry } from './entries.ts'
import { ledgerSummary } from './summary.ts'

const PARTICULARS = { invoice: 'Invoice', payment: 'Payment received' } as const

export const ledgerHandlers: HandlersOf<'ledger'> = {
  summary: (db) => ledgerSummary(db),

  async add(tx, { actor, body }) {
    const { type, id, date } = body
    const organisation = await organisationNamed(tx, body.organization)
    await holdOrganisation(tx, organisation.id, 'use')
    // Before the entry: who issues an invoice waits for the two in this order.
    if (body.covers !== undefined) await holdCharging(tx, organisation.id)
    const added = await addEntry(tx, {
      organisation: organisation.id,
      kind: type,
      reference: id,
      particular: PARTICULARS[type],
      amount: paiseOfRupees(body.amount)!,
      date,
      source: 'manual',
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} has the ${type} ${id} already.`)
    if (body.covers !== undefined) await coverMonth(tx, organisation, body.covers, id)
    return { message: type === 'invoice' ? `Invoice ${id} added.` : `Payment ${id} recorded.` }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
}
