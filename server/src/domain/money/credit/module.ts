import { sql } from 'kysely'
import { answer, answerSql, on } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import {
  isStopDue,
  mayOrder,
  mayStart,
  mustStop,
  mustStopIn,
  staysOff,
  stopMachines,
} from '../../lab/machine/may-start.ts'
import { capturedFor, purpose } from '../payment/purpose.ts'
import { ratesChanged } from '../meter/prices.ts'
import { creditAlert, evaluateDuePrepaidAccounts, PREPAID_DUE, schedulePrepaidAccounts } from './evaluate.ts'
import { creditHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { applyOverduePolicy, creditOverdue } from './overdue.ts'
import { capturedForCredit, creditToBuy } from './purchase.ts'
import { mailPrepaidCreditAlert, mailOverdueNotice } from './mail-credit.ts'
import {
  creditOrderRefusal,
  creditRefusals,
  creditStopReasons,
  isStoppedByCredit,
  STOPPED_BY_CREDIT,
} from './refusals.ts'
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
    {
      name: 'check prepaid credit',
      every: MINUTE,
      on: 'each',
      isDue: sql`${PREPAID_DUE} or ${isStopDue()}`,
      run: () =>
        db.transaction().execute(async (tx) => {
          await evaluateDuePrepaidAccounts(tx, jobQueue)
          await stopMachines(tx)
        }),
    },
  ],
  jobs: [runs(creditAlert, mailPrepaidCreditAlert), runs(creditOverdue, mailOverdueNotice)],
  listens: [on(ratesChanged, schedulePrepaidAccounts)],
  answers: [
    answer(mayStart, creditRefusals),
    answer(mayOrder, creditOrderRefusal),
    answer(staysOff, creditStopReasons),
    answer(purpose, creditToBuy),
    answer(capturedFor, capturedForCredit),
  ],
  sqlAnswers: [answerSql(mustStop, () => isStoppedByCredit), answerSql(mustStopIn, () => STOPPED_BY_CREDIT)],
  tables: {
    sql: new URL('../../../db/tables/prepaid-credit.sql', import.meta.url),
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
