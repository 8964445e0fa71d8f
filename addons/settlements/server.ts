import { answer, answerSql } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { otherEntries, otherPostings } from '@trainyard/accounting/server/hooks.ts'
import { settlementHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { postingsOfSettlements, selectBookedSettlements } from './server/queries.ts'
import { readSettlements } from './server/read.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'settlements',
  requires: ['accounting'],
  calls: () => ({ settlement: settlementHandlers }),
  tasks: ({ db, payments }) =>
    payments
      ? [
          {
            name: 'read settlements',
            every: 60 * MINUTE,
            on: 'one',
            limit: 15 * MINUTE,
            run: (signal) => readSettlements(db, payments, signal),
          },
        ]
      : [],
  answers: [
    answer(otherEntries, async (db, { from, after, to }) => (await selectBookedSettlements(db, from, after, to)).rows),
  ],
  sqlAnswers: [answerSql(otherPostings, postingsOfSettlements)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      settlement: withoutOwner('id utr'),
      settlement_day: withoutOwner(''),
      settlement_entry: withoutOwner('settlement'),
      // Descriptions are those of the provider.
      settlement_line: withoutOwner('id type settlement currency', 'description'),
      settlement_posting: withoutOwner('account'),
    },
    invariants: INVARIANTS,
  },
})
