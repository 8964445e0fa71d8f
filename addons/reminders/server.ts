import { answer } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { purpose } from '@trainyard/payments/server/purpose.ts'
import { reminderHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { mailRequest } from './server/mail-request.ts'
import { reminderMail, mailReminder } from './server/mail.ts'
import { sendDueReminders } from './server/remind.ts'
import { paymentRequest, requestHandlers, requestToPay } from './server/requests.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

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
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      invoice_reminder: withoutOwner('entry_kind invoice', 'sent_to'),
      payment_request: withoutOwner('', 'about asked_by sent_to'),
    },
    invariants: INVARIANTS,
  },
})
