import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SCHEDULES_PER_CALL } from '../words/limits.ts'
import { SCHEDULE_ACTIONS, SCHEDULE_STATUSES } from '../words/schedule.ts'
import { day, message, trainingRef, timeOfDay, weekdays } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

/** Numbers of machines. */
const outcomeCounts = z.object({
  acted: z.int(),
  skipped: z.int(),
  failed: z.int(),
  reasons: z.array(z.string()),
})

export const schedule = {
  list: defineCall({
    method: 'GET',
    path: '/azure/schedules',
    roles: admins,
    instructors: true,
    freshProof: 'none: reads only',
    publicApi: { scope: 'schedule:read', operation: 'listSchedules' },
    summary: "Lists a training's schedules in chronological order, with their results.",
    query: trainingRef,
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
          repeats: z.string().nullable(),
          /** Delay in whole minutes; null if the schedule ran on time or has not run. */
          late: z.int().nullable(),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/azure/schedules',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'createSchedule' },
    summary: "Creates schedules that start or stop a training's machines, and sets or removes its access window.",
    body: trainingRef.extend({
      data: z.strictObject({
        schedules: z
          .array(
            z.strictObject({
              date: day,
              action: z.enum(SCHEDULE_ACTIONS),
              time: timeOfDay,
              // A schedule that is being created cannot have run, so it has no other status.
              status: z.literal('Pending').optional(),
            }),
          )
          .max(SCHEDULES_PER_CALL),
        restrictLogin: z
          .strictObject({
            restrictUserLogin: z.boolean(),
            userAccessOnTime: timeOfDay.nullable(),
            userAccessOffTime: timeOfDay.nullable(),
            /**
             * Days on which the window opens; null for every day. If omitted, the days of the current window do not
             * change.
             */
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
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'deleteSchedule' },
    summary: 'Cancels a pending schedule, or removes a completed one from the list.',
    query: trainingRef.extend({ scheduleId: z.uuid('must be the id of a schedule') }),
    reply: message,
  }),
}
