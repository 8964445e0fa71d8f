import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { SCHEDULE_ACTIONS } from '@trainyard/schedules/contract/schedule-words.ts'
import { scheduleConflicts } from '@trainyard/schedules/contract/schedule.ts'
import { name, trainingRef } from '@trainyard/platform/contract/shapes.ts'

const roles = ['admin', 'superadmin'] as const

export const waste = {
  list: call({
    route: 'GET /waste',
    for: roles,
    does: 'Lists the trainings of an organisation that ran in the last four weeks, with their running time, measured time, and the weekly cost of machines without a connected user and without activity.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      trainings: z.array(
        z.object({
          trainingName: z.string(),
          weeks: z.int(),
          ranSeconds: z.int(),
          /** Part of the running time for which usage is known. */
          measuredSeconds: z.int(),
          idleSeconds: z.int(),
          lostPaiseAWeek: z.int(),
        }),
      ),
    }),
  }),
  schedule: call({
    route: 'GET /waste/schedule',
    for: roles,
    does: 'Returns the weekly shutdown that would have saved the most without interrupting a learner, with the savings. It is not scheduled.',
    query: trainingRef,
    reply: z.object({
      weeks: z.int(),
      lostPaiseAWeek: z.int(),
      rule: z
        .object({
          action: z.enum(SCHEDULE_ACTIONS),
          time: z.string(),
          weekdays: z.array(z.int()),
          from: z.string(),
          until: z.string(),
        })
        .nullable(),
      reason: z.string().nullable(),
      savedPaiseAWeek: z.int(),
      savedSecondsAWeek: z.int(),
      stopsAWeek: z.number(),
      timeZone: z.string(),
      conflicts: scheduleConflicts,
    }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    waste: typeof waste
  }
}
