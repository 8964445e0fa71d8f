import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { organisationRemoving } from '@trainyard/organisations/server/remove.ts'
import { limitLeft, requireSettled } from './server/balance.ts'
import { creditLeft } from '@trainyard/usage/server/outlook.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { ledgerHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'

export default serverModule({
  name: 'ledger',
  calls: () => ({ ledger: ledgerHandlers }),
  listens: [
    on(organisationRemoving, async (tx, organisations) => {
      for (const organisation of organisations) await requireSettled(tx, organisation)
    }),
  ],
  answers: [
    answer(creditLeft, async (db, { organisation }) => ({
      kind: 'limit' as const,
      leftPaise: await limitLeft(db, organisation),
      countsUsage: false,
    })),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    access: {
      ledger_entry: { writes: 'insert', generated: ['id', 'created_at'] },
      ledger_balance: { writes: 'none' },
    },
    executes: ['update_balances(bigint[])'],
    personal: {
      ledger_balance: withoutOwner(''),
      ledger_entry: {
        ...withoutOwner(
          `kind reference source refund_of tds_section tds_year reverses reversed_kind settles settled_kind deducted_from
        deducted_kind`,
          'particular created_by',
        ),
        requiredByLaw: 'entered_document',
      },
    },
    invariants: INVARIANTS,
  },
})
