import { protectedTables } from '@trainyard/platform/server/db/app-access.ts'
import { APP_ROLE } from '@trainyard/platform/server/db/roles.ts'
import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L1',
    description:
      'Each invoice and payment is booked once per organisation, and each provider payment only once overall.',
    when: 'always',
    query: `select organisation_id::text, kind, reference from ledger_entry
      group by organisation_id, kind, reference having count(*) > 1
      union all select '', kind, reference from ledger_entry where source = 'provider'
      group by kind, reference having count(*) > 1`,
  },
  {
    name: 'L3',
    description: 'The balance of an organisation equals the sum of its entries.',
    when: 'always',
    query: `select organisation_id from ledger_balance b
      full join (select organisation_id, coalesce(sum(balance_change(kind, amount_paise))
          filter (where is_invoiced(kind, source)), 0) as invoice,
        coalesce(-sum(balance_change(kind, amount_paise))
          filter (where not is_invoiced(kind, source)), 0) as payment
        from ledger_entry group by organisation_id) e using (organisation_id)
      where (b.invoice_paise, b.payment_paise) is distinct from (e.invoice, e.payment)`,
  },
  {
    name: 'L4',
    description:
      "The app's database role cannot change or delete ledger entries, balances, issued documents, audit rows or audit seals.",
    when: 'always',
    get query() {
      const tables = protectedTables().map((table) => `'${table}'`)
      return `select relation, privilege from unnest(array[${tables.join(', ')}]) relation,
      unnest(array['update', 'delete', 'truncate']) privilege
      where has_table_privilege(${APP_ROLE}, relation, privilege)
      union all select relname, 'ownership' from pg_class
      where relnamespace = 'public'::regnamespace and pg_has_role(${APP_ROLE}, relowner, 'member')`
    },
  },
]
