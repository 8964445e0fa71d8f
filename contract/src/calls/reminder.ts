import { z } from 'zod'
import { defineCall } from '../call.ts'
import { REMINDERS } from '../words/reminder.ts'
import { instant, name } from './shapes.ts'

export const reminder = {
  list: defineCall({
    method: 'GET',
    path: '/admin/ledger/reminders',
    roles: ['admin', 'superadmin'],
    summary: "Lists an organisation's open invoices with due dates and next reminders, and the reminders sent.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      reminders: z.enum(REMINDERS),
      open: z.array(
        z.object({
          invoice: z.string(),
          date: z.iso.date(),
          dueOn: z.iso.date(),
          /** Amount not covered by payments and credit notes. */
          openPaise: z.int(),
          nextOn: z.iso.date().nullable(),
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
