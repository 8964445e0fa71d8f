import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SCHEDULES_PER_CALL } from '../words/limits.ts'
import { SCHEDULE_ACTIONS, SCHEDULE_STATUSES } from '../words/schedule.ts'
import { message, ofTraining } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

/** HH:mm on a 24-hour clock, in the organisation's zone. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30')
/** YYYY-MM-DD in the organisation's zone. */
const day = z.iso.date('must be a date such as 2026-01-31')

const outcomeCounts = z.object({
  acted: z.int(),
  skipped: z.int(),
  failed: z.int(),
  /** Why machines were skipped or failed, each reason once; 'missed' stands alone. */
  reasons: z.array(z.string()),
})

export const schedule = {
  list: defineCall({
    method: 'GET',
    path: '/azure/schedules',
    roles: admins,
    summary: "A training's schedules, in order of their instants, with what each did.",
    query: ofTraining,
    reply: z.object({
      timeZone: z.string(),
      schedules: z.array(
        z.object({
          _id: z.string(),
          date: z.string(),
          time: z.string(),
          action: z.enum(SCHEDULE_ACTIONS),
          status: z.enum(SCHEDULE_STATUSES),
          result: z.union([z.literal('missed'), outcomeCounts]).nullable(),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/azure/schedules',
    roles: admins,
    summary: "Plans starts and stops of a training's machines, and sets or removes its access window.",
    body: ofTraining.extend({
      data: z.strictObject({
        schedules: z
          .array(
            z.strictObject({
              date: day,
              action: z.enum(SCHEDULE_ACTIONS),
              time: timeOfDay,
              // A planned run has not happened, so it has no other status.
              status: z.literal('Pending').optional(),
            }),
          )
          .max(SCHEDULES_PER_CALL),
        restrictLogin: z
          .strictObject({
            restrictUserLogin: z.boolean(),
            userAccessOnTime: timeOfDay.nullable(),
            userAccessOffTime: timeOfDay.nullable(),
          })
          .refine((window) => !window.restrictUserLogin || (window.userAccessOnTime && window.userAccessOffTime), {
            error: 'must be given when restrictUserLogin is true, with userAccessOffTime',
            path: ['userAccessOnTime'],
          })
          .refine((window) => !window.restrictUserLogin || window.userAccessOnTime !== window.userAccessOffTime, {
            error: 'must differ from userAccessOnTime',
            path: ['userAccessOffTime'],
          }),
      }),
    }),
    reply: message,
    creates: true,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/schedules',
    roles: admins,
    summary: 'Cancels a pending schedule; takes a completed one from the list.',
    query: ofTraining.extend({ scheduleId: z.uuid('must be the id of a schedule') }),
    reply: message,
  }),
}
