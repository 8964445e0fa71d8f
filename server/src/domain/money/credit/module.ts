import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { creditAlert } from './evaluate.ts'
import { creditHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { applyOverduePolicy, creditOverdue } from './overdue.ts'
import { mailPrepaidCreditAlert, mailOverdueNotice } from '../reminder/mail-prepaid-credit.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'prepaid-credit',
  requires: ['invoices'],
  calls: () => ({ credit: creditHandlers }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'apply the overdue policy',
      every: MINUTE,
      on: 'one',
      limit: 120,
      run: () => applyOverduePolicy(db, jobQueue),
    },
  ],
  jobs: [runs(creditAlert, mailPrepaidCreditAlert), runs(creditOverdue, mailOverdueNotice)],
  tables: {
    personal: {
      credit_terms: withoutOwner(''),
      overdue_notice: withoutOwner('stage entry_kind invoice', 'sent_to'),
      overdue_stop: withoutOwner(''),
      prepaid_account: withoutOwner(''),
      prepaid_purchase: withoutOwner('payment payment_kind'),
    },
    invariants: INVARIANTS,
  },
})
