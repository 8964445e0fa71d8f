import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { REMINDERS } from '@trainyard/invoices/contract/payment-terms.ts'
import { instant, name, storedDay } from '@trainyard/platform/contract/shapes.ts'

export const reminder = {
  list: call({
    route: 'GET /admin/ledger/reminders',
    for: ['admin', 'superadmin'],
    does: "Lists an organisation's open invoices with due dates and next reminders, and the reminders sent.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      reminders: z.enum(REMINDERS),
      open: z.array(
        z.object({
          invoice: z.string(),
          date: storedDay,
          dueOn: storedDay,
          /** Amount not covered by payments and credit notes. */
          openPaise: z.int(),
          nextOn: storedDay.nullable(),
        }),
      ),
      sent: z.array(
        z.object({
          invoice: z.string(),
          afterDays: z.int(),
          openPaise: z.int(),
          at: instant,
          /** null until mailed. Empty if the invoice was settled before that, or if there was no recipient. */
          to: z.array(z.string()).nullable(),
        }),
      ),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const reminderActions = {
  'reminder.send': 'sent a reminder for an overdue invoice',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    reminder: typeof reminder
  }
}
