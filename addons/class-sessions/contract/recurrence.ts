import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { SCHEDULE_ACTIONS } from '@trainyard/schedules/contract/schedule-words.ts'
import { scheduleConflicts } from '@trainyard/schedules/contract/schedule.ts'
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

const rule = {
  action: z.enum(SCHEDULE_ACTIONS),
  time: timeOfDay,
  from: day,
  until: day.meta({ examples: ['2026-12-18'] }),
}

const run = z.object({
  date: z.string(),
  time: storedTime,
  at: z.string(),
  note: z.string().nullable(),
})

export const recurrence = {
  list: call({
    route: 'GET /azure/schedules/weekly',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:read', operation: 'listWeeklySchedules' },
    does: "Lists a training's weekly schedules with their next ten runs, and the last day of the training.",
    query: trainingRef,
    reply: z.object({
      timeZone: storedTimeZone,
      endsOn: z.string().nullable(),
      weekly: z.array(
        z.object({
          _id: rowId,
          action: z.enum(SCHEDULE_ACTIONS),
          time: storedTime,
          weekdays: z.array(z.int()).meta({ examples: [[1, 3]] }),
          from: z.string().meta({ examples: ['2026-12-01'] }),
          until: z.string().meta({ examples: ['2026-12-18'] }),
          timeZone: storedTimeZone,
          /** Number of future runs. */
          left: z.int().meta({ examples: [5] }),
          next: z.array(run).meta({ examples: [[]] }),
        }),
      ),
    }),
  }),
  preview: call({
    route: 'GET /azure/schedules/weekly/preview',
    for: admins,
    instructors: true,
    does: 'Previews the runs and conflicts of a weekly schedule without saving it.',
    query: trainingRef.extend({
      ...rule,
      weekdays: z.string().regex(/^[1-7](,[1-7]){0,6}$/, 'must be days such as 1,3,5'),
    }),
    reply: z.object({
      timeZone: storedTimeZone,
      count: z.int(),
      next: z.array(run),
      conflicts: scheduleConflicts,
    }),
  }),
  create: call({
    route: 'POST /azure/schedules/weekly',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'createWeeklySchedule' },
    does: "Creates a weekly schedule that starts or stops a training's machines on given weekdays until a date.",
    audit: 'created a weekly schedule',
    body: trainingRef.extend({ ...rule, weekdays }),
    reply: z.object({ message: z.string().meta({ examples: ['Done.'] }), _id: rowId }),
    once: true,
  }),
  remove: call({
    route: 'DELETE /azure/schedules/weekly',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'deleteWeeklySchedule' },
    does: 'Deletes a weekly schedule and its future runs. Completed runs stay listed.',
    audit: 'removed a weekly schedule',
    query: trainingRef.extend({ recurrenceId: z.uuid('must be the id of a weekly schedule') }),
  }),
  setEnd: call({
    route: 'PATCH /azure/trainingEnd',
    for: admins,
    instructors: true,
    does: 'Sets the last day of a training, or removes it with null. Schedules after that day are reported as conflicts.',
    audit: 'set the last day of a training',
    body: trainingRef.extend({ endsOn: day.nullable() }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    recurrence: typeof recurrence
  }
}
