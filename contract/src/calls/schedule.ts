import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SCHEDULES_PER_CALL } from '../words/limits.ts'
import { SCHEDULE_ACTIONS, SCHEDULE_STATUSES } from '../words/schedule.ts'
import { day, message, ofTraining, timeOfDay, weekdays } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

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
          /** The weekly schedule that it is a run of; null: it was planned by itself. */
          repeats: z.string().nullable(),
          /** Whole minutes that it ran late; null: it ran in time, or has not run. */
          late: z.int().nullable(),
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
            /** The days on which the window opens; null: every day. Left out, those of the window that holds stay. */
            userAccessDays: weekdays.nullable().optional(),
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
