import { z } from 'zod'
import { defineCall } from '../call.ts'
import { CONFLICT_KINDS } from '../words/recurrence.ts'
import { SCHEDULE_ACTIONS } from '../words/schedule.ts'
import { day, message, ofTraining, timeOfDay, weekdays } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

const from = day
const rule = { action: z.enum(SCHEDULE_ACTIONS), time: timeOfDay, from, until: day }

const run = z.object({
  date: z.string(),
  time: z.string(),
  /** The instant that follows, RFC 3339. */
  at: z.string(),
  /** A word where the clocks of that day skip the time or show it twice. */
  note: z.string().nullable(),
})

/** Schedules that repeat by weekday until a date. Each of their runs is a schedule, listed, fired and cancelled like all others. */
export const recurrence = {
  list: defineCall({
    method: 'GET',
    path: '/azure/schedules/weekly',
    roles: admins,
    summary: "A training's weekly schedules, with the next ten runs of each, and the day on which the training ends.",
    query: ofTraining,
    reply: z.object({
      timeZone: z.string(),
      endsOn: z.string().nullable(),
      weekly: z.array(
        z.object({
          _id: z.string(),
          action: z.enum(SCHEDULE_ACTIONS),
          time: z.string(),
          weekdays: z.array(z.int()),
          from: z.string(),
          until: z.string(),
          timeZone: z.string(),
          /** Runs to come, of which `next` has the first ten. */
          left: z.int(),
          next: z.array(run),
        }),
      ),
    }),
  }),
  preview: defineCall({
    method: 'GET',
    path: '/azure/schedules/weekly/preview',
    roles: admins,
    summary: 'The runs that a weekly schedule would have, and what stands against them; nothing is saved.',
    query: ofTraining.extend({
      ...rule,
      weekdays: z.string().regex(/^[1-7](,[1-7]){0,6}$/, 'must be days such as 1,3,5'),
    }),
    reply: z.object({
      timeZone: z.string(),
      count: z.int(),
      next: z.array(run),
      conflicts: z.array(
        z.object({
          kind: z.enum(CONFLICT_KINDS),
          /** It can't be saved so. */
          blocks: z.boolean(),
          sentence: z.string(),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/azure/schedules/weekly',
    roles: admins,
    summary: "Plans a start or stop of a training's machines on days of the week until a date.",
    body: ofTraining.extend({ ...rule, weekdays }),
    reply: z.object({ message: z.string(), _id: z.string() }),
    creates: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/schedules/weekly',
    roles: admins,
    summary: 'Cancels a weekly schedule with all its runs to come; those that ran stay listed.',
    query: ofTraining.extend({ recurrenceId: z.uuid('must be the id of a weekly schedule') }),
    reply: message,
  }),
  setEnd: defineCall({
    method: 'PATCH',
    path: '/azure/trainingEnd',
    roles: admins,
    summary: 'Sets the last day of a training, or with null takes it back; schedules are held against it.',
    body: ofTraining.extend({ endsOn: day.nullable() }),
    reply: message,
  }),
}
