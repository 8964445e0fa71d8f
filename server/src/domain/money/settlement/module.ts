import { answer, answerSql } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { otherEntries, otherPostings } from '../accounting/hooks.ts'
import { settlementHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { postingsOfSettlements, selectBookedSettlements } from './queries.ts'
import { readSettlements } from './read.ts'
import { MINUTE } from '../../../reconcile/task.ts'

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
    sql: new URL('../../../db/tables/settlements.sql', import.meta.url),
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
