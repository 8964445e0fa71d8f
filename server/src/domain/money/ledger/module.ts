import { on } from '../../../core/events.ts'
import { organisationRemoving } from '../../people/organisation/remove.ts'
import { requireSettled } from './balance.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { ledgerHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'

export default serverModule({
  name: 'ledger',
  calls: () => ({ ledger: ledgerHandlers }),
  listens: [
    on(organisationRemoving, async (tx, organisations) => {
      for (const organisation of organisations) await requireSettled(tx, organisation)
    }),
  ],
  tables: {
    sql: new URL('../../../db/tables/ledger.sql', import.meta.url),
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
