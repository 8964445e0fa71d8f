import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { instant, name } from '@trainyard/platform/contract/shapes.ts'

const count = z.int()

/** Conditions that must be met for a class to start. `hours`: allocated hours of its machines. */
export const CLASS_CHECKS = ['capacity', 'hours', 'budget', 'invitations', 'image'] as const

export const nextClass = {
  nextClass: call({
    route: 'GET /admin/home/class',
    for: ['admin', 'superadmin'],
    does: 'Returns the next ready time of an organisation, until half an hour after it, with the seats that are ready and checks of what could prevent it. Returns null if no ready time is planned.',
    query: z.strictObject({ organization: name }),
    reply: z.object({
      nextClass: z
        .object({
          training: z.string(),
          /** In the organisation's zone. */
          date: z.string(),
          time: z.string(),
          readyAt: instant,
          started: z.boolean(),
          seats: count,
          ready: count,
          /** `problem` says what to do; null if the check passed. */
          checks: z.array(z.object({ check: z.enum(CLASS_CHECKS), problem: z.string().nullable() })),
        })
        .nullable(),
    }),
  }),
}

type NextClass = typeof nextClass

declare module '@trainyard/platform/contract/contract.ts' {
  interface HomeCalls extends NextClass {}
}
