import { z } from 'zod'
import { call, MEGABYTE } from '@trainyard/platform/contract/call.ts'
import { SCHEDULES_PER_CALL } from '@trainyard/platform/contract/words/limits.ts'
import { CONFLICT_KINDS, SCHEDULE_ACTIONS, SCHEDULE_STATUSES } from './schedule-words.ts'
import {
  day,
  trainingRef,
  timeOfDay,
  weekdays,
  storedTime,
  storedTimeZone,
  rowId,
} from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const

/** Conflicts of schedules that are not planned yet. */
export const scheduleConflicts = z.array(
  z.object({ kind: z.enum(CONFLICT_KINDS), blocks: z.boolean(), sentence: z.string() }),
)

/** Numbers of machines. */
const outcomeCounts = z.object({
  acted: z.int(),
  skipped: z.int(),
  failed: z.int(),
  reasons: z.array(z.string()),
})

export const schedule = {
  list: call({
    route: 'GET /azure/schedules',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:read', operation: 'listSchedules' },
    does: "Lists a training's schedules in chronological order, with their results.",
    query: trainingRef,
    reply: z.object({
      timeZone: storedTimeZone,
      schedules: z.array(
        z.object({
          _id: rowId,
          date: z.string().meta({ examples: ['2026-12-01'] }),
          time: storedTime,
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
  create: call({
    route: 'POST /azure/schedules',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'createSchedule' },
    does: "Creates schedules that start or stop a training's machines, and sets or removes its access window.",
    audit: 'created schedules or changed an access window',
    size: { bytes: MEGABYTE, values: 2_000 },
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
            userAccessOffTime: timeOfDay.nullable().meta({ examples: ['17:00'] }),
            /**
             * Days on which the window opens; null for every day. If omitted, the days of the current window do not
             * change.
             */
            userAccessDays: weekdays.nullable().optional(),
          })
          .refine((window) => !window.restrictUserLogin || (window.userAccessOnTime && window.userAccessOffTime), {
            error: 'Enter both times of the access window.',
            path: ['userAccessOnTime'],
          })
          .refine((window) => !window.restrictUserLogin || window.userAccessOnTime !== window.userAccessOffTime, {
            error: 'The access window must not end at the time at which it starts.',
            path: ['userAccessOffTime'],
          }),
      }),
    }),
    once: true,
  }),
  remove: call({
    route: 'DELETE /azure/schedules',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'deleteSchedule' },
    does: 'Cancels a pending schedule, or removes a completed one from the list.',
    audit: 'removed a schedule',
    query: trainingRef.extend({ scheduleId: z.uuid('must be the id of a schedule') }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    schedule: typeof schedule
  }
}
