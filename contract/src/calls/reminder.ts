import { z } from 'zod'
import { defineCall } from '../call.ts'
import { REMINDERS } from '../words/reminder.ts'
import { instant, name } from './shapes.ts'

export const reminder = {
  list: defineCall({
    method: 'GET',
    path: '/admin/ledger/reminders',
    roles: ['admin', 'superadmin'],
    summary:
      "What an organisation's invoices leave open, when each is due, what it was reminded of and what comes next.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      reminders: z.enum(REMINDERS),
      /** Invoices that are not settled, the oldest first, at most 100. */
      open: z.array(
        z.object({
          invoice: z.string(),
          date: z.iso.date(),
          dueOn: z.iso.date(),
          /** The rest that payments and credit notes have left of it. */
          openPaise: z.int(),
          /** The day of the next reminder; null: none comes. */
          nextOn: z.iso.date().nullable(),
        }),
      ),
      /** The newest first, at most 100. */
      sent: z.array(
        z.object({
          invoice: z.string(),
          /** Days after it was due. */
          afterDays: z.int(),
          openPaise: z.int(),
          at: instant,
          /** null: it is on its way. Empty: it was settled before it was sent, or there is nobody to mail. */
          to: z.array(z.string()).nullable(),
        }),
      ),
    }),
  }),
}
