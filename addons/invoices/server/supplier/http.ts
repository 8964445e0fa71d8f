import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { supplierProblems } from './readiness.ts'
import { changeSupplier, lockSupplier, supplierSettings } from './settings.ts'

export const supplierHandlers: HandlersOf<'supplier'> = {
  async read(db) {
    const settings = await supplierSettings(db)
    return { ...settings, problems: supplierProblems(settings) }
  },

  async change(tx, { body: changes, auditChange }) {
    await lockSupplier(tx, 'change')
    const before = await supplierSettings(tx)
    await changeSupplier(tx, changes)
    auditChange(before, await supplierSettings(tx))
    return { message: 'Supplier settings saved.' }
  },
}
