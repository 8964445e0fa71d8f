import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { INVARIANTS } from './server/invariants.ts'
import { postEntries } from './server/queries.ts'
import { adding } from '@trainyard/ledger/server/adding.ts'
import { entryAdded } from '@trainyard/ledger/server/entries.ts'
import { settles } from '@trainyard/ledger/server/settled-by.ts'
import { accountingHandlers, deductionAdded } from './server/http.ts'
import { invoiceSettledBy } from './server/settles.ts'

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
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      ledger_account: withoutOwner('code name'),
      posting: withoutOwner('account'),
      tds_certificate: withoutOwner('entry_kind entry certificate', 'recorded_by'),
    },
    invariants: INVARIANTS,
  },
})
