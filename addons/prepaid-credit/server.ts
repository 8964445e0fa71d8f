import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { mayOrder, mayStart, mustStop, mustStopIn, staysOff } from '@trainyard/machines/server/may-start.ts'
import { entryAdded } from '@trainyard/ledger/server/entries.ts'
import { capturedFor, purpose } from '@trainyard/payments/server/purpose.ts'
import { creditLeft } from '@trainyard/usage/server/outlook.ts'
import { ratesChanged } from '@trainyard/usage/server/prices.ts'
import { creditLeftOf } from './server/limit.ts'
import { creditAlert, evaluateDuePrepaidAccounts, PREPAID_DUE, schedulePrepaidAccounts } from './server/evaluate.ts'
import { creditHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { applyOverduePolicy, creditOverdue } from './server/overdue.ts'
import { capturedForCredit, creditToBuy } from './server/purchase.ts'
import { mailPrepaidCreditAlert, mailOverdueNotice } from './server/mail-credit.ts'
import {
  creditOrderRefusal,
  creditRefusals,
  creditStopReasons,
  isStoppedByCredit,
  STOPPED_BY_CREDIT,
} from './server/refusals.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

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
    {
      name: 'check prepaid credit',
      every: MINUTE,
      on: 'each',
      isDue: PREPAID_DUE,
      run: () => db.transaction().execute((tx) => evaluateDuePrepaidAccounts(tx, jobQueue)),
    },
  ],
  jobs: [runs(creditAlert, mailPrepaidCreditAlert), runs(creditOverdue, mailOverdueNotice)],
  listens: [
    on(ratesChanged, schedulePrepaidAccounts),
    // A returned payment reduces the credit that it bought.
    on(entryAdded, (tx, entries) =>
      schedulePrepaidAccounts(
        tx,
        entries.filter(({ kind }) => kind === 'refund' || kind === 'payment reversal'),
      ),
    ),
  ],
  answers: [
    answer(mayStart, creditRefusals),
    answer(mayOrder, creditOrderRefusal),
    answer(staysOff, creditStopReasons),
    answer(creditLeft, creditLeftOf),
    answer(purpose, creditToBuy),
    answer(capturedFor, capturedForCredit),
  ],
  sqlAnswers: [answerSql(mustStop, () => isStoppedByCredit), answerSql(mustStopIn, () => STOPPED_BY_CREDIT)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
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
