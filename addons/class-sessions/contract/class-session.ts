import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { EVENT_KINDS, ROW_STATES, CLASS_SESSION_CONFLICT_KINDS, CLASS_SESSION_SCOPES } from './class-session-words.ts'
import {
  day,
  enteredName,
  instant,
  name,
  storedDay,
  timeOfDay,
  trainingRef,
  weekdays,
  storedTime,
  storedTimeZone,
  rowId,
} from '@trainyard/platform/contract/shapes.ts'

/** Each call computes the sessions of up to a year and their conflicts. A form previews each change. */
const previews: Limit = { name: 'previews', per: 'person', max: 120, seconds: MINUTE }

const admins = ['admin', 'superadmin'] as const

const rowState = z.enum(ROW_STATES)

const session = z.object({
  _id: rowId,
  date: storedDay,
  start: storedTime,
  /** A time at or before `start` is on the next day. */
  stop: z.string().meta({ examples: ['12:00'] }),
  startsAt: instant,
  stopsAt: instant.meta({ examples: ['2026-12-01T06:30:00Z'] }),
  /** The weekly rule, if the session is one of several. */
  weekly: z
    .object({
      weekdays: z.array(z.int()).meta({ examples: [[1, 3]] }),
      until: storedDay.meta({ examples: ['2026-12-18'] }),
    })
    .nullable(),
  limitsAccess: z.boolean(),
  skipped: z.boolean().meta({ examples: [false] }),
  /** True if the user changed only this session and not the other sessions of its weekly class. */
  moved: z.boolean().meta({ examples: [false] }),
  /** The rows on which the session is based: ready-by, power on and shut down. */
  ready: rowState,
  powerOn: rowState,
  shutDown: rowState,
  holiday: z.string().nullable(),
  /**
   * Cost in rupees at the current machines and prices. Includes the time that the machines need to become ready.
   * Omitted for instructors.
   */
  cost: z
    .number()
    .optional()
    .meta({ examples: [228] }),
})
export type ClassSession = z.output<typeof session>

const holiday = z.object({
  date: storedDay.meta({ examples: ['2026-12-25'] }),
  name: z.string().meta({ examples: ['Christmas'] }),
})

const times = {
  start: timeOfDay,
  /** A time at or before `start` is on the next day. */
  stop: timeOfDay.meta({ examples: ['12:00'] }),
}

const sessionId = z.uuid('must be the id of a session')

export const classSession = {
  list: call({
    route: 'GET /azure/sessions',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:read', operation: 'listClassSessions' },
    does: "Lists a training's sessions between two days, with the other events and the holidays of these days.",
    query: trainingRef.extend({ from: day, until: day.meta({ examples: ['2026-12-18'] }) }),
    reply: z.object({
      timeZone: storedTimeZone,
      today: storedDay.meta({ examples: ['2026-11-25'] }),
      endsOn: storedDay.nullable(),
      /** Number of machines that a session starts. */
      machines: z.int().meta({ examples: [2] }),
      sessions: z.array(session),
      /** Events that do not belong to a session. */
      events: z.array(z.object({ date: storedDay, time: storedTime, kind: z.enum(EVENT_KINDS) })),
      holidays: z.array(holiday),
    }),
  }),
  preview: call({
    route: 'GET /azure/sessions/preview',
    for: admins,
    instructors: true,
    does: 'Previews the dates, the cost and the conflicts of sessions without saving them.',
    limit: previews,
    query: trainingRef.extend({
      ...times,
      from: day,
      until: day,
      weekdays: z
        .string()
        .regex(/^[1-7](,[1-7]){0,6}$/, 'must be days such as 1,3,5')
        .optional(),
      limitAccess: z.enum(['true', 'false']),
      skipHolidays: z.enum(['true', 'false']),
      replaces: sessionId.optional(),
      scope: z.enum(CLASS_SESSION_SCOPES).optional(),
    }),
    reply: z.object({
      timeZone: storedTimeZone,
      count: z.int(),
      next: z.array(z.object({ date: storedDay, note: z.string().nullable() })),
      skippedHolidays: z.array(holiday),
      machines: z.int(),
      /** Minutes before the session at which the machines are started. */
      leadMinutes: z.int(),
      /** Rupees. Omitted for instructors. */
      costOfOne: z.number().optional(),
      costOfAll: z.number().optional(),
      conflicts: z.array(
        z.object({ kind: z.enum(CLASS_SESSION_CONFLICT_KINDS), blocks: z.boolean(), sentence: z.string() }),
      ),
    }),
  }),
  create: call({
    route: 'POST /azure/sessions',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'createClassSession' },
    does: 'Creates one session or a weekly class, with ready times, power on, shut down and, if requested, the access window.',
    audit: 'created sessions',
    body: trainingRef.extend({
      ...times,
      from: day,
      until: day.meta({ examples: ['2026-12-18'] }),
      /** Null for a single session on the day `from`. */
      weekdays: weekdays.nullable(),
      limitAccess: z.boolean(),
      skipHolidays: z.boolean(),
    }),
    reply: z.object({
      message: z.string().meta({ examples: ['6 sessions are planned: Mon, Wed, 09:00 to 12:00.'] }),
    }),
    once: true,
  }),
  change: call({
    route: 'PATCH /azure/sessions',
    for: admins,
    instructors: true,
    does: 'Changes one session, or it and all following sessions of its weekly class.',
    audit: 'changed sessions',
    body: trainingRef.extend({
      ...times,
      sessionId,
      scope: z.enum(CLASS_SESSION_SCOPES),
      /** New day of the session, or first day of the following sessions. */
      from: day,
      /** Last day and weekdays of the following sessions; ignored for one session. */
      until: day,
      weekdays: weekdays.nullable(),
      limitAccess: z.boolean(),
      skipHolidays: z.boolean(),
    }),
  }),
  skip: call({
    route: 'POST /azure/sessions/skip',
    for: admins,
    instructors: true,
    does: 'Skips a session, whose machines then are not started, or restores a skipped one.',
    audit: 'skipped or restored a session',
    body: trainingRef.extend({ sessionId, skipped: z.boolean() }),
  }),
  remove: call({
    route: 'DELETE /azure/sessions',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'deleteClassSession' },
    does: 'Cancels one session, or it and all following sessions of its weekly class.',
    audit: 'cancelled sessions',
    query: trainingRef.extend({ sessionId, scope: z.enum(CLASS_SESSION_SCOPES) }),
  }),
}

const organisationRef = z.strictObject({ organization: name.optional() })

export const holidays = {
  list: call({
    route: 'GET /azure/holidays',
    for: admins,
    does: "Lists an organisation's holidays, on which weekly classes have no session.",
    query: organisationRef,
    reply: z.object({ holidays: z.array(holiday) }),
  }),
  add: call({
    route: 'POST /azure/holidays',
    for: admins,
    does: 'Adds a holiday or renames it. Existing sessions on that day stay until they are skipped.',
    audit: 'added a holiday',
    body: organisationRef.extend({ date: day, name: enteredName }),
  }),
  remove: call({
    route: 'DELETE /azure/holidays',
    for: admins,
    does: 'Removes a holiday. Sessions that were left out on that day are not added.',
    audit: 'removed a holiday',
    query: organisationRef.extend({ date: day }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    classSession: typeof classSession
    holidays: typeof holidays
  }
}
