import { answer, on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { INVARIANTS } from './invariants.ts'
import { postEntries } from './queries.ts'
import { adding } from '../ledger/adding.ts'
import { entryAdded } from '../ledger/entries.ts'
import { settles } from '../ledger/settled-by.ts'
import { accountingHandlers, deductionAdded } from './http.ts'
import { invoiceSettledBy } from './settles.ts'

export default serverModule({
  name: 'accounting',
  requires: ['ledger'],
  calls: () => ({ ledger: accountingHandlers }),
  listens: [
    on(entryAdded, async (tx, entries) => {
      await postEntries(
        tx,
        entries.map(({ id }) => id),
      )
    }),
  ],
  answers: [answer(settles, invoiceSettledBy), answer(adding, deductionAdded)],
  tables: {
    sql: new URL('../../../db/tables/accounting.sql', import.meta.url),
    personal: {
      ledger_account: withoutOwner('code name'),
      posting: withoutOwner('account'),
      tds_certificate: withoutOwner('entry_kind entry certificate', 'recorded_by'),
    },
    invariants: INVARIANTS,
  },
})
