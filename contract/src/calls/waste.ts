import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SCHEDULE_ACTIONS } from '../words/schedule.ts'
import { recurrence } from './recurrence.ts'
import { name, ofTraining } from './shapes.ts'

const roles = ['admin', 'superadmin'] as const

/** Runs with nobody at the machine, in the last four weeks, and the weekly schedule that would have saved it. */
export const waste = {
  list: defineCall({
    method: 'GET',
    path: '/waste',
    roles,
    summary:
      'For each training of an organisation that ran in the last four weeks: how long, how much of that was measured, and what machines cost a week while nobody was connected and nothing was done.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      trainings: z.array(
        z.object({
          trainingName: z.string(),
          /** Weeks of the four in which something ran. */
          weeks: z.int(),
          ranSeconds: z.int(),
          /** Of these, those of which anybody knows if somebody was there. */
          measuredSeconds: z.int(),
          idleSeconds: z.int(),
          lostPaiseAWeek: z.int(),
        }),
      ),
    }),
  }),
  schedule: defineCall({
    method: 'GET',
    path: '/waste/schedule',
    roles,
    summary:
      'The weekly shut down that would have saved most of a training’s waste without ending anybody’s work, and how much; nothing is planned.',
    query: ofTraining,
    reply: z.object({
      weeks: z.int(),
      lostPaiseAWeek: z.int(),
      /** null: there is none; `reason` says why. */
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
      /** Times that a machine would have been shut down, a week. */
      stopsAWeek: z.number(),
      timeZone: z.string(),
      conflicts: recurrence.preview.reply.shape.conflicts,
    }),
  }),
}
