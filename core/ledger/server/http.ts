import type { ledger } from '../contract/ledger.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { accountOf } from './account.ts'
import { ADDED_FIELDS, adding } from './adding.ts'
import { settledBy } from './settled-by.ts'
import { addManualEntry } from './entries.ts'
import { ledgerSummary } from './summary.ts'

const PARTICULARS = { invoice: 'Invoice', payment: 'Payment received' } as const

export const ledgerHandlers: Pick<HandlersOf<'ledger'>, keyof typeof ledger> = {
  summary: (db) => ledgerSummary(db),

  async add(tx, { actor, body }) {
    const { type, id, date } = body
    const organisation = await organisationByName(tx, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    const amount = paiseOfRupees(body.amount)!
    const additions = await ask(tx, adding, { actor, organisation, body, amount })
    const recorded = new Set(additions.flatMap(({ adds }) => adds))
    const refused = ADDED_FIELDS.find((field) => body[field] !== undefined && !recorded.has(field))
    if (refused !== undefined) throw new Problem('invalid', `This portal does not record ${refused}.`)
    const payment = amount + additions.reduce((sum, { paid = 0 }) => sum + paid, 0)
    const settles = type === 'payment' ? await settledBy(tx, organisation, body.settles, payment, 'supplier') : null
    const document = additions.find((each) => each.document !== undefined)?.document
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
    let message = type === 'invoice' ? `Invoice ${id} added.` : `Payment ${id} recorded.`
    for (const { complete } of additions) message = (await complete?.(settles)) ?? message
    return { message }
  },

  async account(db, { actor, query }) {
    return accountOf(db, await organisationInScope(db, actor, query.organization), query.before)
  },
}
