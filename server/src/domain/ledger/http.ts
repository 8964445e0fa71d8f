import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { conflict } from '../../core/errors.ts'
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
    return { message: type === 'invoice' ? `Invoice ${id} added.` : `Payment ${id} recorded.` }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
}
