import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import { comparison, gstr1 } from './content.ts'

export const gstReturnHandlers: HandlersOf<'gstReturn'> = {
  async read(db, { query }) {
    const { gstin } = await supplierSettings(db)
    if (gstin === null) return { gstin, tables: [], accounts: [], entries: [] }
    return { gstin, ...(await comparison(db, gstin, query.month)) }
  },

  async json(tx, { body: { month } }) {
    const { gstin } = await supplierSettings(tx)
    if (gstin === null) throw new Problem('notFound', 'The supplier settings have no GST number.')
    const name = `GSTR1-${gstin}-${month}.json`
    return { name, type: 'application/json', content: [JSON.stringify(await gstr1(tx, gstin, month), null, 2)] }
  },
}
