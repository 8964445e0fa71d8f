import type { HandlersOf } from '../../../core/handler.ts'
import { requirePlausibleRates } from '../ledger/plausible.ts'
import { supplierProblems } from './readiness.ts'
import { changeSupplier, lockSupplier, supplierSettings } from './settings.ts'

export const supplierHandlers: HandlersOf<'supplier'> = {
  async read(db) {
    const settings = await supplierSettings(db)
    return { ...settings, problems: supplierProblems(settings) }
  },

  async change(tx, { body: { confirmed, ...changes }, auditChange }) {
    await lockSupplier(tx, 'change')
    const before = await supplierSettings(tx)
    const days = (rates: readonly { readonly from: string }[]) => rates.map(({ from }) => from)
    const after = days(changes.rates ?? [])
    await requirePlausibleRates(tx, { before: days(before.rates), after }, confirmed)
    await changeSupplier(tx, changes)
    auditChange(before, await supplierSettings(tx))
    return { message: 'Supplier settings saved.' }
  },
}
