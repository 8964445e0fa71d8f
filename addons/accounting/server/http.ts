import type { accounting } from '../contract.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { organisationByName, organisationInScope, lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import type { adding } from '@trainyard/ledger/server/adding.ts'
import { addManualEntry } from '@trainyard/ledger/server/entries.ts'
import { settledBy } from '@trainyard/ledger/server/settled-by.ts'
import { lockCharging, supplierToday } from '@trainyard/usage/server/months.ts'
import { reverseEntry, reversibleEntries, writeOff } from './corrections.ts'
import { addDeduction, certifyDeductions, deductions, isCertificateOfReceipt, tdsParticular } from './deductions.ts'
import { ageing, openInvoices } from './open.ts'
import { trialBalance } from './trial-balance.ts'

/** Adds the tax that the payer of a payment deducted. */
export const deductionAdded: AnswerTo<typeof adding> = (tx, { actor, organisation, body: { tds, id, date } }) => {
  if (tds === undefined) return Promise.resolve([])
  return Promise.resolve([
    {
      adds: ['tds'],
      paid: paiseOfRupees(tds.amount)!,
      async complete(settles) {
        await addDeduction(tx, actor, organisation, { payment: id, date, settles, ...tds })
        return `Payment ${id} and TDS of ${formatRupees(tds.amount)} recorded.`
      },
    },
  ])
}

export const accountingHandlers: Pick<HandlersOf<'ledger'>, keyof typeof accounting> = {
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
}
