import { answer } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { purpose } from '../payment/purpose.ts'
import { reminderHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { mailRequest } from './mail-request.ts'
import { reminderMail, mailReminder } from './mail.ts'
import { sendDueReminders } from './remind.ts'
import { paymentRequest, requestHandlers, requestToPay } from './requests.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'reminders',
  requires: ['invoices'],
  calls: (parts) => ({ reminder: reminderHandlers, payment: requestHandlers(parts) }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'send payment reminders',
      every: 10 * MINUTE,
      on: 'one',
      limit: 120,
      run: () => sendDueReminders(db, jobQueue),
    },
  ],
  answers: [answer(purpose, requestToPay)],
  jobs: [runs(reminderMail, mailReminder), runs(paymentRequest, mailRequest)],
  tables: {
    sql: new URL('../../../db/tables/reminders.sql', import.meta.url),
    personal: {
      invoice_reminder: withoutOwner('entry_kind invoice', 'sent_to'),
      payment_request: withoutOwner('', 'about asked_by sent_to'),
    },
    invariants: INVARIANTS,
  },
})
