import { answer } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { INVARIANTS } from './accounting-invariants.ts'
import { settles } from './settled-by.ts'
import { invoiceSettledBy } from './settles.ts'

export default serverModule({
  name: 'accounting',
  requires: ['ledger'],
  answers: [answer(settles, invoiceSettledBy)],
  tables: {
    personal: {
      customer_ledger: withoutOwner('name'),
      ledger_account: withoutOwner('code name'),
      posting: withoutOwner('account'),
      tds_certificate: withoutOwner('entry_kind entry certificate', 'recorded_by'),
    },
    invariants: INVARIANTS,
  },
})
