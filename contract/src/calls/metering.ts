import { z } from 'zod'
import { defineCall } from '../call.ts'
import { RUN_CAUSES } from '../words/run.ts'
import { instant, name } from './shapes.ts'

const cause = z.enum(Object.keys(RUN_CAUSES) as [keyof typeof RUN_CAUSES])

/** What the portal learnt, and the provider's own instant of it, which the run was fitted to. */
const transition = z.object({ cause, told: instant })

/** Up to which instant what still runs is counted. */
const asOf = instant

export const metering = {
  runs: defineCall({
    method: 'GET',
    path: '/azure/billing/runs',
    roles: ['user', 'admin', 'superadmin'],
    summary:
      "What a machine's line is made of: its runs, oldest first, with what opened and closed each. The amount is the sum of paiseSeconds / 3600 paise, rounded half up once.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      asOf,
      amount: z.number(),
      runs: z.array(
        z.object({
          start: instant,
          stop: instant.nullable(),
          seconds: z.int(),
          /** Rupees an hour. */
          rate: z.number(),
          /** Seconds x paise an hour, exact. */
          paiseSeconds: z.int(),
          opened: transition,
          closed: transition.nullable(),
        }),
      ),
    }),
  }),
  reconciliation: defineCall({
    method: 'GET',
    path: '/admin/reconciliation',
    roles: ['superadmin'],
    summary:
      "The last thirty days, newest first, each compared with the provider's own record: machines, seconds on both sides, and where they differ. Nothing is mended.",
    reply: z.object({
      days: z.array(
        z.object({
          /** A day of UTC. */
          date: z.string(),
          comparedAt: instant,
          machines: z.int(),
          secondsHere: z.int(),
          secondsThere: z.int(),
          differences: z.array(
            z.object({
              machine: z.string(),
              organization: z.string().nullable(),
              secondsHere: z.int(),
              secondsThere: z.int(),
            }),
          ),
        }),
      ),
    }),
  }),
}
